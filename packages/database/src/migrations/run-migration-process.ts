// Migrates in a short-lived process and hands on what it says.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ApplyOptions } from './apply-missing.ts';
import { MigrationHistoryError } from './migration-history.ts';
import type { MigrationEvent, MigrationJob } from './migration-job.ts';

/** Beside this file, in the repository and in a bundle of it. */
const ENTRY = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? 'migration-process.ts' : 'migration-process.js',
    import.meta.url,
  ),
);

const RUNTIME_ARGUMENTS = 'Deno' in globalThis ? ['run', '--allow-all', '--quiet'] : [];

/** Answers the names of what was applied. Throws as applyMissing does, in its words. */
export async function runMigrationProcess({
  url,
  prismaDir,
  onProgress,
}: ApplyOptions): Promise<string[]> {
  const child = spawn(process.execPath, [...RUNTIME_ARGUMENTS, ENTRY], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = waitForEnd(child);
  // Who has died does not read; its end is heard of below.
  child.stdin.on('error', () => {});
  // The address holds a password: other users of the machine can see arguments.
  const job: MigrationJob = { url, prismaDir };
  child.stdin.write(`${JSON.stringify(job)}\n`);
  let last: MigrationEvent | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    last = JSON.parse(line) as MigrationEvent;
    if (last.kind === 'progress') onProgress?.(last.message);
  }
  const end = await ended;
  if (last?.kind === 'applied') return last.names;
  throw last?.kind === 'failed'
    ? toError(last)
    : new Error(`The process that migrates the database ended early (${end}).`);
}

/** Resolves with its exit code or signal, also where it could not be started. */
function waitForEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(String(signal ?? code)));
  });
}

function toError({ message, unknown }: MigrationEvent & { kind: 'failed' }): Error {
  return unknown ? new MigrationHistoryError(message, unknown) : new Error(message);
}
