// What a run has started and made, so that a run that is stopped before its time leaves none of it behind.

import { chmodSync, mkdtempSync } from 'node:fs';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { isAlive } from '@muster/database';

type Acquired<Thing> = {
  thing: Thing;
  /** Safe to call twice: the second call waits for the first. */
  release: () => Promise<void>;
};

const releases = new Set<() => Promise<void>>();
const stopping = new AbortController();

/** Aborted when the run is being stopped. Programs that exit on an abort are started with it. */
export const stopSignal = stopping.signal;

/** Starts or makes a thing that has to go again. Once the run is being stopped it throws instead, and starts nothing. */
export const acquire = <Thing>(
  start: () => Thing,
  stop: (thing: Thing) => Promise<void>,
): Acquired<Thing> => {
  stopSignal.throwIfAborted();
  const thing = start();
  let released: Promise<void> | undefined;
  const release = (): Promise<void> => {
    released ??= stop(thing).finally(() => releases.delete(release));
    return released;
  };
  releases.add(release);
  return { thing, release };
};

/** Releases all that is there, the newest first. One that fails does not keep the others. */
export const releaseEverything = async (report: (sentence: string) => void): Promise<void> => {
  stopping.abort();
  for (const release of [...releases].reverse()) {
    await release().catch((error: unknown) => report(`Something could not be stopped: ${error}`));
  }
};

// Ctrl-C and its like stop what the run has started and remove its folders.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** With its servers gone a run fails at once; what it still writes, such as its results so far, is waited for this long. */
const SETTLE_MS = 5_000;

/**
 * Exits with 128 + the signal's number. Later signals change nothing: each stop has its own time limit, and one Ctrl-C
 * arrives twice, from the terminal and from npm.
 */
export const stopOnSignals = (running: Promise<unknown>, say: (sentence: string) => void): void => {
  let isStopping = false;
  const stop = async (signal: (typeof SIGNALS)[number]): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    // Clients that lose their server raise errors, even when the terminal is closed. None of them may interrupt the stop.
    process.on('uncaughtException', () => {});
    say(`Stopping on ${signal} …`);
    await releaseEverything(say);
    await Promise.race([running.catch(() => {}), delay(SETTLE_MS)]);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
};

// Folders of a run, removed at its end, or by the next run where it was killed: each carries the process id of its owner.

const PREFIX = 'muster-bench-';
const OWNED = new RegExp(`^${PREFIX}(\\d+)-`);

type ScratchFolder = { path: string; stop: () => Promise<void> };

/** At once and not later: no signal comes between making the folder and remembering it. */
export const makeScratchFolder = (): ScratchFolder => {
  const { thing, release } = acquire(() => {
    const path = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
    // Root runs PostgreSQL as another user, who has to pass through.
    chmodSync(path, 0o711);
    return path;
  }, removeFolder);
  return { path: thing, stop: release };
};

/** Removes the folders of killed runs. Their own servers exit with them; PostgreSQL does not. */
export const removeAbandonedFolders = async (): Promise<void> => {
  const names = await readdir(tmpdir());
  const abandoned = names.filter((name) => {
    const owner = OWNED.exec(name)?.[1];
    return owner !== undefined && !isAlive(Number(owner));
  });
  await Promise.allSettled(abandoned.map((name) => removeFolder(join(tmpdir(), name))));
};

/** A service that had to be killed has left its PostgreSQL there, which may still be writing. */
const removeFolder = async (path: string): Promise<void> => {
  await killPostgresIn(path);
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
};

// Stops the PostgreSQL of an abandoned folder.

/**
 * Each of its processes works in the folder of its data, which /proc shows. Elsewhere than on Linux nothing is done: PostgreSQL
 * stops by itself within a minute once its folder is gone.
 */
const killPostgresIn = async (folder: string): Promise<void> => {
  const names = await readdir('/proc').catch(() => []);
  await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => killIfIn(Number(pid), folder)),
  );
};

const killIfIn = async (pid: number, folder: string): Promise<void> => {
  const [workingDir, program] = await Promise.all([
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
    readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''),
  ]);
  if (program.trim() !== 'postgres' || !workingDir.startsWith(`${folder}${sep}`)) return;
  try {
    // Its "immediate shutdown": no checkpoint for data that is about to go.
    process.kill(pid, 'SIGQUIT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

// Loaded ahead of each program that a run starts: when the run is gone, killed outright even, the program ends as well.
// An orphan gets another parent, and looking once a second costs what is measured next to nothing. A pipe that closes
// would tell it at once, but also end the processes and threads that inherit this module and not the pipe.

const LOOK_MS = 1_000;
/** A program that does not stop when it is asked to. */
const PATIENCE_MS = 10_000;

if (isMainThread) {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
  }, LOOK_MS);
  // It keeps no program from ending that would end without it.
  looking.unref();
}
