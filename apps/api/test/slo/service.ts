// Starts the service as an operator does, with the options that `npm start` gives to Node.js, on a database of its own.

import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findChildren } from '@muster/database/testing';
import type { CryptoKey } from 'jose';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startServiceProcess } from '../service-process.ts';
import { AUDIENCE, ISSUER } from './requests.ts';

export type Service = {
  port: number;
  baseUrl: string;
  /** A token that the service accepts. */
  sign(sub: string, permissions: readonly string[]): Promise<string>;
  /** From now on the peak counts anew. */
  resetPeakMemory(): Promise<void>;
  /** Of all its processes, in megabytes (10^6 bytes). */
  readPeakMemory(): Promise<number>;
  stop(): Promise<void>;
};

/** `SLO_SOURCE` names the folder `apps/api/src` of another version, and `SLO_SETTINGS` further settings as a JSON object. */
const SOURCE = process.env.SLO_SOURCE;
const SETTINGS: Record<string, string> = JSON.parse(process.env.SLO_SETTINGS ?? '{}');

const MEMORY_OPTIONS = new URL('../../src/memory-options.mjs', import.meta.url).href;
const TOKEN_LIFE = '1h';
const KEY_ID = 'published';

export const startService = async (databaseUrl: string, hasIssuer = false): Promise<Service> => {
  const { HEAP_OPTIONS, allocatorEnvironment } = await import(MEMORY_OPTIONS);
  const keys = hasIssuer ? await startIssuer() : shareSecret();
  const { baseUrl, child, stop } = await startServiceProcess(
    {
      DATABASE_URL: databaseUrl,
      NODE_ENV: 'production',
      ...keys.settings,
      ...allocatorEnvironment(),
      ...SETTINGS,
    },
    SOURCE,
    HEAP_OPTIONS,
  );
  const pid = child.pid ?? 0;
  return {
    port: Number(new URL(baseUrl).port),
    baseUrl,
    sign: keys.sign,
    resetPeakMemory: async () => {
      for (const each of await findProcesses(pid)) await writeFile(`/proc/${each}/clear_refs`, '5');
    },
    readPeakMemory: async () => {
      const peaks = await Promise.all((await findProcesses(pid)).map(readPeakKib));
      return (peaks.reduce((sum, peak) => sum + peak, 0) * 1_024) / 1e6;
    },
    stop: async () => {
      const code = await stop();
      keys.stop();
      if (code !== 0) throw new Error(`The service ended with ${code}.`);
    },
  };
};

type Keys = {
  settings: Record<string, string>;
  sign: Service['sign'];
  stop(): void;
};

const SECRET = 'a secret of the service-level objectives';

const shareSecret = (): Keys => {
  const key = new TextEncoder().encode(SECRET);
  return {
    settings: { AUTH_JWT_SECRET: SECRET },
    sign: (sub, permissions) => signWith(key, { alg: 'HS256' }, sub, permissions),
    stop: () => {},
  };
};

/** Publishes one key. */
const startIssuer = async (): Promise<Keys> => {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA');
  const body = JSON.stringify({
    keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'EdDSA' }],
  });
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      AUTH_JWKS_URL: `http://127.0.0.1:${port}/keys`,
      AUTH_ISSUER: ISSUER,
      AUTH_AUDIENCE: AUDIENCE,
    },
    sign: (sub, permissions) =>
      signWith(privateKey, { alg: 'EdDSA', kid: KEY_ID }, sub, permissions),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const signWith = (
  key: CryptoKey | Uint8Array,
  header: { alg: string; kid?: string },
  sub: string,
  permissions: readonly string[],
): Promise<string> =>
  new SignJWT({ sub, permissions })
    .setProtectedHeader({ ...header, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(TOKEN_LIFE)
    .sign(key);

const findProcesses = async (pid: number): Promise<number[]> => {
  const children = await findChildren(pid);
  const descendants = await Promise.all(children.map(findProcesses));
  return [pid, ...descendants.flat()];
};

/** Peak resident set size (proc(5)). */
const readPeakKib = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
};
