// Runs one of PostgreSQL's programs in a session of its own, so that Ctrl-C in the terminal does not reach it.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { ServerUser } from './server-user.ts';

export type ProgramResult = { exitCode: number; output: string };

export type ProgramPlace = {
  /** The user to run as; null for the current one. */
  user: ServerUser | null;
  /** `/` by default, since the current folder may be closed to that user. */
  cwd?: string;
};

/** Resolves with the exit code and what the program printed; rejects when it cannot be started. */
export async function runProgram(
  file: string,
  args: string[],
  { user, cwd = '/' }: ProgramPlace = { user: null },
): Promise<ProgramResult> {
  const child = spawn(file, args, {
    detached: true,
    windowsHide: true,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: programEnvironment(),
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  });
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const [exitCode, out, err] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { exitCode, output: `${out}${err}`.trim() };
}

/** Our own environment without what would redirect PostgreSQL (`PGDATA`, `PGPORT`, …). */
function programEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')));
}
