// The real service as a process of its own, with the built web app, on a database of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@muster/database/testing';
import { JWT_SECRET, signToken } from './sign-token.ts';

const MAIN = fileURLToPath(new URL('../../../api/src/main.ts', import.meta.url));

export type Service = {
  baseUrl: string;
  /** For what only SQL can do: ten thousand rows at once, or a change behind the service's back. */
  databaseUrl: string;
  /** Calls a mutation of the admin API with every permission, and answers its data. */
  call<Data>(procedure: string, input: object): Promise<Data>;
  stop(): Promise<void>;
};

type ServiceOptions = {
  /** Fills the database as `npm start` does. False by default. */
  demoData?: boolean;
  /** Settings besides those of every test. */
  env?: Record<string, string>;
};

export const startService = async ({
  demoData = false,
  env,
}: ServiceOptions = {}): Promise<Service> => {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-web-'));
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'error',
      DEMO_DATA: demoData ? '1' : '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      AUTH_JWT_SECRET: JWT_SECRET,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const baseUrl = await readBaseUrl(child.stdout).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  await waitUntilReady(baseUrl);
  return {
    ...{ baseUrl, databaseUrl: database.url, stop },
    call: (procedure, input) => callAdmin(baseUrl, procedure, input),
  };
};

const readBaseUrl = async (output: AsyncIterable<unknown>): Promise<string> => {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    const url = /ready at (http:\/\/\S+)/.exec(text)?.[1];
    if (url) return url;
  }
  throw new Error(`The service ended before it was ready: ${text}`);
};

/** The address is printed just before /readyz says yes. */
const waitUntilReady = async (baseUrl: string): Promise<void> => {
  while (!(await fetch(`${baseUrl}/readyz`)).ok);
};

const callAdmin = async <Data>(
  baseUrl: string,
  procedure: string,
  input: object,
): Promise<Data> => {
  const response = await fetch(`${baseUrl}/admin/trpc/${procedure}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${signToken('web-tests', ['*'])}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(input),
  });
  const answer = (await response.json()) as { result: { data: Data } };
  if (!response.ok) throw new Error(`${procedure} answered ${JSON.stringify(answer)}`);
  return answer.result.data;
};
