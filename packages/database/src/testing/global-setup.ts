// Vitest global setup: one PostgreSQL, one migrated template database and one temporary folder per run, shared by all projects of
// the run.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeScratchFolder } from '../embedded/scratch-postgres.ts';
import type { TestServer } from './test-server.ts';
import { startTestServer } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    musterTestServer: TestServer;
  }
}

/** Each project of a run loads this module anew, so what they share is kept with the process. */
type Shared = { users: number; started: ReturnType<typeof startRun> };
const shared = globalThis as { musterTestServer?: Shared | undefined };

/** Returns the teardown, which vitest calls when the run is over. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.musterTestServer ??= { users: 0, started: startRun() };
  const { musterTestServer: current } = shared;
  current.users += 1;
  const { server, stop } = await current.started;
  project.provide('musterTestServer', server);
  return async () => {
    current.users -= 1;
    if (current.users > 0) return;
    shared.musterTestServer = undefined;
    await stop();
  };
}

async function startRun(): ReturnType<typeof startTestServer> {
  const { TMPDIR } = process.env;
  const folder = await makeRunFolder();
  const removeFolder = async () => {
    if (folder === null) return;
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const { server, stop } = await startTestServer();
    return { server, stop: () => stop().finally(removeFolder) };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/**
 * Tests and what they start make their folders in it, and a test that fails or is killed leaves its own behind: it goes with the
 * run, or with the next one where this one is killed. Null under `npm test`, which does the same.
 */
async function makeRunFolder(): Promise<string | null> {
  if (basename(tmpdir()).startsWith('muster-run-')) return null;
  process.env.TMPDIR = await makeScratchFolder(tmpdir());
  return process.env.TMPDIR;
}
