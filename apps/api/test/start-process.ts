// Runs a program of this app as a process of its own, as its users do.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepLog, noteEnvironment, noteSecrets } from './suite-logs/suite-logs.ts';

export type RunningProgram = {
  pid: number;
  stdout: () => string;
  stderr: () => string;
  /** The base URL, once the program has printed it. */
  baseUrl: () => Promise<string>;
  signal: (name: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
};

const SOURCE = join(import.meta.dirname, '..', 'src');

/** The environment is only what is given, on a free port with an empty data folder. */
export const startProgram = async (
  file: 'main.ts' | 'token.ts' | 'backup.ts' | 'restore.ts',
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<RunningProgram> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-program-'));
  noteEnvironment(env);
  const child = spawn(process.execPath, [join(SOURCE, file), ...args], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
    noteSecrets(/one-time password: (\S+)/.exec(output.stdout)?.[1]);
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
    keepLog(String(chunk));
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(code ?? signal);
      void rm(dataDir, { recursive: true, force: true });
    });
  });
  const baseUrl = () =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const url = /Muster is ready at (\S+)[\s\S]*\n$/.exec(output.stdout)?.[1];
        if (url) resolve(url);
      };
      child.stdout.on('data', look);
      look();
      void ended.then(() => reject(new Error(`It ended early: ${output.stderr}`)));
    });
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    baseUrl,
    signal: (name) => void child.kill(name),
    ended,
  };
};
