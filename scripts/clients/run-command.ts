// Runs one program of a recipe to its end and keeps what it printed.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';

export type CommandResult = { code: number; stdout: string; all: string };

export type CommandOptions = { cwd?: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal };

const HAS_GROUPS = process.platform !== 'win32';

/** A program that cannot be started answers 127, as in a shell. Aborting ends it and all it started. */
export const runCommand = (
  command: string,
  args: readonly string[],
  { signal, ...options }: CommandOptions = {},
): Promise<CommandResult> =>
  new Promise((resolve) => {
    // A group of its own: a build that is interrupted must not go on without its shell.
    const child = spawn(command, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: HAS_GROUPS,
    });
    const abort = () => endGroup(child);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    let [stdout, all] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      all += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      all += text;
    });
    const finish = (code: number) => {
      signal?.removeEventListener('abort', abort);
      resolve({ code, stdout, all });
    };
    child.once('error', (error) => {
      all += error.message;
      finish(127);
    });
    child.once('close', (code) => finish(code ?? 1));
  });

const endGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 'SIGTERM');
  } catch (error) {
    // It ended by itself a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};
