// Starts the real service as a process of its own, as an operator would.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { keepLog, noteEnvironment } from './suite-logs/suite-logs.ts';

export type ServiceProcess = {
  baseUrl: string;
  child: ChildProcess;
  /** What it has written to standard error so far. */
  readErrors(): string;
  /** Asks it to stop and resolves with its exit code. */
  stop(): Promise<number | null>;
};

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Resolves when the service says that it is ready; rejects with what it said when it ends before. */
export const startServiceProcess = async (
  environment: Record<string, string>,
): Promise<ServiceProcess> => {
  noteEnvironment(environment);
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'warn', DEMO_DATA: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
    keepLog(String(chunk));
  });
  const baseUrl = await Promise.race([readBaseUrl(child), exited.then(() => null)]);
  if (!baseUrl) throw new Error(`The service ended before it was ready: ${errors}`);
  await waitUntilReady(baseUrl);
  return {
    ...{ baseUrl, child },
    readErrors: () => errors,
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
};

const readBaseUrl = async (child: ChildProcess): Promise<string | null> => {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += chunk;
    const [, url] = /ready at (http:\/\/\S+)/.exec(output) ?? [];
    if (url) return url;
  }
  return null;
};

/** The address is printed just before /readyz says yes. */
const waitUntilReady = async (baseUrl: string): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${baseUrl}/readyz`);
    if (answer.ok) return;
  }
};
