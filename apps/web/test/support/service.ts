// The real service in a separate process, with the built web app and its own database.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';

const MAIN = fileURLToPath(new URL('../../../api/src/main.ts', import.meta.url));
const EXIT_WITH_PARENT = new URL('./exit-with-parent.ts', import.meta.url).href;
const JWT_SECRET = 'a secret that only the tests of the web app sign with';

export type Service = {
  baseUrl: string;
  /** Calls a mutation of the admin API with all permissions, and returns its data. */
  call<Data>(procedure: string, input: object): Promise<Data>;
  /** Calls a query without input in the same way. */
  query<Data>(procedure: string): Promise<Data>;
  /** For changes that need SQL: ten thousand rows at once, or a change without the service. */
  withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
};

type Database = ReturnType<typeof openDatabase>;

export type ServiceOptions = {
  /** Fills the database as `npm start` does. False by default. */
  demoData?: boolean;
  /** Additional settings. */
  env?: Record<string, string>;
};

export const startService = async ({
  demoData = false,
  env,
}: ServiceOptions = {}): Promise<Service> => {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-web-'));
  const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, MAIN], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      LOG_LEVEL: 'error',
      DEMO_DATA: demoData ? '1' : '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      AUTH_JWT_SECRET: JWT_SECRET,
      ...env,
    },
    // The pipe to its stdin closes when this process ends, and then the service stops.
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
    await database.drop();
  };
  const baseUrl = await readBaseUrl(child.stdout).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  await waitUntilReady(baseUrl);
  return {
    baseUrl,
    call: (procedure, input) => askAdmin(baseUrl, procedure, JSON.stringify(input)),
    query: (procedure) => askAdmin(baseUrl, procedure),
    withDatabase: async (work) => {
      const opened = openDatabase({ url: database.url, statementTimeoutMs: 20_000 });
      return work(opened).finally(opened.close);
    },
    stop,
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

/** The URL is printed just before /readyz returns 200. */
const waitUntilReady = async (baseUrl: string): Promise<void> => {
  while (!(await fetch(`${baseUrl}/readyz`)).ok);
};

/** Sends a mutation if there is a body, otherwise a query. */
const askAdmin = async <Data>(baseUrl: string, procedure: string, body?: string): Promise<Data> => {
  const headers = {
    authorization: `Bearer ${signToken('web-tests', ['*'])}`,
    'content-type': 'application/json',
  };
  const request = body === undefined ? { headers } : { headers, method: 'POST', body };
  const response = await fetch(`${baseUrl}/admin/trpc/${procedure}`, request);
  const answer = (await response.json()) as { result: { data: Data } };
  if (!response.ok) throw new Error(`${procedure} answered ${JSON.stringify(answer)}`);
  return answer.result.data;
};

/** A JWT that the service accepts (RFC 7519, HS256), valid for one hour. */
export const signToken = (sub: string, permissions: readonly string[]): string => {
  const exp = Math.floor(Date.now() / 1000) + 3_600;
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { sub, permissions, exp },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', JWT_SECRET).update(text.join('.')).digest('base64url');
  return [...text, signature].join('.');
};
