// The real service as a process of its own, on its own PostgreSQL, with an empty database.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../../apps/api/src/main.ts', import.meta.url));
const SECRET = 'a secret that only the tests of the client sign with';

export type Service = {
  baseUrl: string;
  /** Calls a mutation of the admin API with all permissions and answers its data. */
  admin<Data>(procedure: string, input: object): Promise<Data>;
  stop(): Promise<void>;
};

export const startService = async (): Promise<Service> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-client-'));
  // Started as root, PostgreSQL runs as a user of its own, who must be able to get in.
  chmodSync(dataDir, 0o711);
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      LOG_LEVEL: 'error',
      DEMO_DATA: '0',
      DATA_DIR: dataDir,
      AUTH_JWT_SECRET: SECRET,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const baseUrl = await readBaseUrl(child.stdout).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  await waitUntilReady(baseUrl);
  return {
    baseUrl,
    admin: (procedure, input) => callAdmin(`${baseUrl}/admin/trpc/${procedure}`, input),
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

/** The address is printed just before /readyz says yes. */
const waitUntilReady = async (baseUrl: string): Promise<void> => {
  while (!(await fetch(`${baseUrl}/readyz`)).ok);
};

const callAdmin = async <Data>(url: string, input: object): Promise<Data> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${signToken('game-backend', ['*'])}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(input),
  });
  const answer = (await response.json()) as { result: { data: Data } };
  if (!response.ok) throw new Error(`${url} answered ${JSON.stringify(answer)}`);
  return answer.result.data;
};

/** A JWT as the service expects it (RFC 7519, HS256). A negative life gives an expired one. */
export const signToken = (sub: string, permissions: string[], lifeSeconds = 3_600): string => {
  const exp = Math.floor(Date.now() / 1000) + lifeSeconds;
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { sub, permissions, exp },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', SECRET).update(text.join('.')).digest('base64url');
  return [...text, signature].join('.');
};
