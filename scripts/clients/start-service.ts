// The real service as a process of its own, on its own PostgreSQL in a temporary folder.
import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../setup/repository.mjs';

export type Service = {
  baseUrl: string;
  /** Calls a mutation of the admin API with all permissions and answers its data. */
  admin<Data>(procedure: string, input: object): Promise<Data>;
  /** A JWT that the service accepts (RFC 7519, HS256). */
  signToken(sub: string, permissions: readonly string[]): string;
  stop(): Promise<void>;
};

const TOKEN_LIFE_SECONDS = 24 * 3600;

export const startService = async (): Promise<Service> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-clients-'));
  // Started as root, PostgreSQL runs as a user of its own, who must be able to get in.
  chmodSync(dataDir, 0o711);
  const secret = randomBytes(32).toString('hex');
  const child = spawn(process.execPath, [join(ROOT, 'apps/api/src/main.ts')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'error',
      DEMO_DATA: '0',
      DATA_DIR: dataDir,
      AUTH_JWT_SECRET: secret,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C reaches this program alone, which stops the service in order.
    detached: process.platform !== 'win32',
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const signToken = createSigner(secret);
  try {
    const baseUrl = await readBaseUrl(child.stdout);
    while (!(await fetch(`${baseUrl}/readyz`)).ok);
    const token = signToken('game-backend', ['*']);
    const admin: Service['admin'] = (procedure, input) =>
      callAdmin(`${baseUrl}/admin/trpc/${procedure}`, token, input);
    return { baseUrl, admin, signToken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
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

const callAdmin = async <Data>(url: string, token: string, input: object): Promise<Data> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const answer = (await response.json()) as { result: { data: Data } };
  if (!response.ok) throw new Error(`${url} answered ${JSON.stringify(answer)}`);
  return answer.result.data;
};

const createSigner =
  (secret: string): Service['signToken'] =>
  (sub, permissions) => {
    const exp = Math.floor(Date.now() / 1000) + TOKEN_LIFE_SECONDS;
    const parts = [
      { alg: 'HS256', typ: 'JWT' },
      { sub, permissions, exp },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const signature = createHmac('sha256', secret).update(text.join('.')).digest('base64url');
    return [...text, signature].join('.');
  };
