// Runs the service and its other programs as separate processes, like their users.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepLog, noteEnvironment, noteSecrets } from './suite-logs/suite-logs.ts';

const SOURCE = join(import.meta.dirname, '..', 'src');
const PROGRAMS = {
  service: ['main.ts'],
  doctor: ['cli/muster.ts', 'doctor'],
  bundle: ['cli/muster.ts', 'support-bundle'],
  migrate: ['cli/muster.ts', 'migrate'],
  token: ['cli/muster.ts', 'token'],
  backup: ['cli/muster.ts', 'backup'],
  restore: ['cli/muster.ts', 'restore'],
  distribute: ['cli/muster.ts', 'distribute'],
  maintenance: ['cli/muster.ts', 'maintenance'],
  owner: ['cli/muster.ts', 'owner'],
} as const;
/** Stops a program whose test is gone. */
const PRELOAD = join(import.meta.dirname, 'end-with-parent.ts');

type RunningProgram = {
  pid: number;
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** The base URL, once the program has printed it. */
  baseUrl(): Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
};

type LaunchOptions = {
  /** The sources of another version. */
  source?: string;
  /** For Node.js itself. */
  nodeOptions?: readonly string[];
  /** With a pseudo-terminal, like a person's start, instead of pipes. Linux only; `stderr` stays empty. */
  onTerminal?: boolean;
};

/** The environment only has the given variables, with a free port and an empty data folder. */
export const startProgram = async (
  program: keyof typeof PROGRAMS,
  env: Record<string, string> = {},
  args: string[] = [],
  { source = SOURCE, nodeOptions = [], onTerminal = false }: LaunchOptions = {},
): Promise<RunningProgram> => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-program-'));
  // Root runs PostgreSQL as another user, who must be able to enter the folder.
  await chmod(dataDir, 0o711);
  noteEnvironment(env);
  const [file, ...command] = PROGRAMS[program];
  const entry = [...nodeOptions, '--import', PRELOAD, join(source, file), ...command];
  const line = [process.execPath, ...entry, ...args];
  const [executable = '', ...parameters] = onTerminal ? attachTerminal(line) : line;
  const child = spawn(executable, parameters, {
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  // Stored like a journal or a container's log stores standard error.
  const isLog = program === 'service' && env.DEMO_DATA === '0' && !onTerminal && source === SOURCE;
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
    noteSecrets(readOneTimePassword(output.stdout));
    if (isLog) keepLog(String(chunk));
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
    keepLog(String(chunk));
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    // Removed before the test continues and its process ends.
    child.once('close', async (code, signal) => {
      await rm(dataDir, { recursive: true, force: true }).catch(() => {});
      resolve(code ?? signal);
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
      void ended.then(() =>
        reject(new Error(`The program ended before it was ready: ${output.stderr}`)),
      );
    });
  return {
    pid: child.pid ?? 0,
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    baseUrl,
    signal: (name) => void child.kill(name),
    ended,
  };
};

/** The password that a service has printed, or the one in the printed file. */
export const readOneTimePassword = (welcome: string): string | undefined => {
  const [, file, printed] = /one-time password: (?:in (\/.+)|(\S+))\r?\n/.exec(welcome) ?? [];
  return file ? readFileSync(file, 'utf8').trim() : printed;
};

/** The command line that runs another one on its own terminal. */
const attachTerminal = (line: string[]): string[] => {
  const quoted = line.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(' ');
  return ['script', '--quiet', '--return', '--command', `exec ${quoted}`, '/dev/null'];
};

export type ServiceProcess = {
  baseUrl: string;
  child: ChildProcess;
  /** Its standard error so far. */
  readErrors(): string;
  /** Asks it to stop and resolves with its exit code. */
  stop(): Promise<number | null>;
};

/** Resolves when the service is ready; rejects with its output when it ends before. */
export const startServiceProcess = async (
  environment: Record<string, string>,
  source?: string,
  nodeOptions?: readonly string[],
): Promise<ServiceProcess> => {
  const quiet = { LOG_LEVEL: 'warn', DEMO_DATA: '0' };
  const settings = { ...quiet, ...environment };
  const program = await startProgram('service', settings, [], {
    ...(source && { source }),
    ...(nodeOptions && { nodeOptions }),
  });
  const baseUrl = await program.baseUrl();
  // The address is printed just before /readyz succeeds.
  while (!(await fetch(`${baseUrl}/readyz`)).ok);
  return {
    baseUrl,
    child: program.child,
    readErrors: program.stderr,
    stop: async () => {
      program.signal('SIGTERM');
      const end = await program.ended;
      return typeof end === 'number' ? end : null;
    },
  };
};
