// Users start and stop the program.
import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOIN } from './public-client.ts';
import { sendCurl } from './send-curl.ts';
import { readOneTimePassword, startProgram } from './service-process.ts';

const SECRET = 'the secret that only tests sign with';
const ONE_TIME_PASSWORD = /^([A-Za-z2-9]{5}-){3}[A-Za-z2-9]{5}$/;
const quiet = { LOG_LEVEL: 'silent', AUTH_JWT_SECRET: SECRET };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const startService = async (env: Record<string, string> = {}) => {
  const program = await startProgram('service', { ...quiet, DATABASE_URL: database.url, ...env });
  return { ...program, url: await program.baseUrl() };
};

/** Resolves when the connection has received matching text. */
const waitFor = (socket: Socket, pattern: RegExp): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (pattern.test(text)) resolve(text);
    });
  });

/** A join whose body is announced but not sent yet: the server has accepted it and waits. */
const beginJoin = async (url: string) => {
  const token = await startProgram('token', quiet, ['--sub', 'x', '--permissions', 'session:*']);
  await token.ended;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  const lines = [
    `POST ${JOIN} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${token.stdout().trim()}`,
    'Content-Type: application/json',
    'Content-Length: 2',
    'Expect: 100-continue',
  ];
  const accepted = waitFor(socket, /100 Continue/);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await accepted;
  return socket;
};

const isRefused = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
    () => false,
    () => true,
  );

describe('main.ts', () => {
  it('prints three working requests before it is ready, at any log level', async () => {
    const service = await startService();
    const lines = service
      .stdout()
      .split('\n')
      .filter((line) => line.startsWith('curl '));
    expect(lines).toHaveLength(3);
    expect(service.stdout()).not.toContain('\u001b');
    await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(200);
    for (const line of [...lines, ...lines]) {
      expect(line).not.toContain('|');
      expect((await sendCurl(line)).status).toBe(200);
    }
    expect(service.stderr()).toBe('Loading demo data …\n');
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  const DEPLOYED: Record<string, string>[] = [
    { DEMO_DATA: '0' },
    { PUBLIC_URL: 'https://muster.example', TRUST_PROXY: '1' },
    { DEMO_DATA: '0', WORKERS: '2' },
  ];
  it.each(DEPLOYED)('prints no token and no password into a log with %j', async (settings) => {
    const empty = await createTestDatabase();
    const service = await startService({
      DATABASE_URL: empty.url,
      LOG_LEVEL: 'trace',
      ...settings,
    });
    const output = service.stdout() + service.stderr();
    expect(output).not.toMatch(/eyJ/);
    const file = /one-time password: in (\/.+)\n/.exec(output)?.[1] ?? '';
    expect(output.split(file)).toHaveLength(2);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const password = (await readFile(file, 'utf8')).trim();
    expect(password).toMatch(ONE_TIME_PASSWORD);
    expect(output).not.toContain(password);
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
    await empty.drop();
  });

  it.runIf(process.platform === 'linux')(
    'prints the password and tokens of one hour on a terminal, also without demo data',
    async () => {
      const empty = await createTestDatabase();
      const env = { ...quiet, DATABASE_URL: empty.url, DEMO_DATA: '0' };
      const service = await startProgram('service', env, [], { onTerminal: true });
      await service.baseUrl();
      expect(readOneTimePassword(service.stdout())).toMatch(ONE_TIME_PASSWORD);
      const readCommands = () =>
        service
          .stdout()
          .split('\r\n')
          .slice(0, -1)
          .filter((line) => line.startsWith('curl '));
      await expect.poll(() => readCommands().length, { timeout: 30_000 }).toBe(3);
      const lines = readCommands();
      const responses = await Promise.all(lines.map((line) => sendCurl(line)));
      expect(responses.map(({ status }) => status)).toEqual([404, 200, 200]);
      const [, payload = ''] = /Bearer eyJ[\w-]+\.([\w-]+)/.exec(service.stdout()) ?? [];
      const { exp, iat } = JSON.parse(Buffer.from(payload, 'base64url').toString());
      expect(exp - iat).toBe(3600);
      service.signal('SIGTERM');
      await service.ended;
      await empty.drop();
    },
  );

  it('finishes an accepted request after the signal, accepts no other, and exits with 0', async () => {
    const service = await startService();
    const socket = await beginJoin(service.url);
    service.signal('SIGTERM');
    await expect.poll(() => isRefused(service.url), { timeout: 5_000 }).toBe(true);
    const answer = waitFor(socket, /}$/);
    socket.write('{}');
    expect(await answer).toMatch(/HTTP\/1.1 422/);
    expect(await service.ended).toBe(0);
  });

  it('stops with idle connections open, including ones that never sent a byte', async () => {
    const service = await startService();
    const silent = connect(Number(new URL(service.url).port), '127.0.0.1');
    await new Promise((connected) => silent.once('connect', connected));
    await fetch(`${service.url}/healthz`);
    const startedAt = performance.now();
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  it('counts the same signal twice within a second as one, and stops at once on a later one', async () => {
    const service = await startService();
    const socket = await beginJoin(service.url);
    service.signal('SIGINT');
    service.signal('SIGINT');
    await expect.poll(() => isRefused(service.url), { timeout: 5_000 }).toBe(true);
    const poke = setInterval(() => service.signal('SIGTERM'), 200);
    expect(await service.ended).toBe(143);
    clearInterval(poke);
    socket.destroy();
  });

  it('lists every invalid setting, without a stack, and exits with 1', async () => {
    const program = await startProgram('service', { PORT: 'x', HOST: '0.0.0.0', DEMO_DATA: '2' });
    expect(await program.ended).toBe(1);
    expect(program.stdout()).toBe('');
    expect(program.stderr().trimEnd().split('\n')).toEqual([
      'PORT must be a port number from 0 to 65535.',
      'DEMO_DATA must be 0 or 1.',
    ]);
  });

  it('refuses other machines without a configured credential', async () => {
    const program = await startProgram('service', { HOST: '0.0.0.0' });
    expect(await program.ended).toBe(1);
    expect(program.stderr()).toMatch(/^HOST 0\.0\.0\.0 .*AUTH_JWT_SECRET.*\n$/);
  });

  it('reports an unreachable database in one sentence, without its password', async () => {
    const url = 'postgresql://muster:hunter2@127.0.0.1:1/game';
    const program = await startProgram('service', { DATABASE_URL: url });
    expect(await program.ended).toBe(1);
    expect(program.stderr()).toMatch(/^DATABASE_URL: .*127\.0\.0\.1:1\/game.*ECONNREFUSED.*\n$/);
    expect(program.stderr()).not.toContain('hunter2');
  });

  it('reports a port in use in one sentence', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const PORT = String((other.address() as AddressInfo).port);
    const program = await startProgram('service', { ...quiet, DATABASE_URL: database.url, PORT });
    expect(await program.ended).toBe(1);
    expect(program.stderr()).toMatch(new RegExp(`Port ${PORT} of 127.0.0.1 is in use.*\\n$`));
    other.close();
  });

  it('makes the owner once it listens, so that a failed start loses no one-time password', async () => {
    const empty = await createTestDatabase();
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const PORT = String((other.address() as AddressInfo).port);
    const env = { DATABASE_URL: empty.url, DEMO_DATA: '0' };
    const failed = await startProgram('service', { ...quiet, ...env, PORT });
    expect(await failed.ended).toBe(1);
    other.close();
    const service = await startService(env);
    expect(readOneTimePassword(service.stdout())).toMatch(ONE_TIME_PASSWORD);
    service.signal('SIGTERM');
    await service.ended;
    await empty.drop();
  });

  it('stores the sample token in a private file when other machines can reach it', async () => {
    const service = await startService({ HOST: '0.0.0.0' });
    expect(service.stdout()).not.toMatch(/eyJ/);
    const line =
      service
        .stdout()
        .split('\n')
        .findLast((text) => text.startsWith('curl ')) ?? '';
    expect((await sendCurl(line)).status).toBe(200);
    const file = /is in (\S+)\.$/m.exec(service.stdout())?.[1] ?? '';
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    service.signal('SIGTERM');
    await service.ended;
  });

  it('serves the metrics only on their own port', async () => {
    const free = createServer();
    await new Promise<void>((listening) => free.listen(0, '127.0.0.1', listening));
    const METRICS_PORT = String((free.address() as AddressInfo).port);
    await new Promise((closed) => free.close(closed));
    const service = await startService({ METRICS_PORT });
    const metrics = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`);
    expect(await metrics.text()).toContain('nodejs_eventloop_lag_seconds');
    expect((await fetch(`http://127.0.0.1:${METRICS_PORT}/healthz`)).status).toBe(404);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
  });
});

describe('token', () => {
  it('prints only a token, with the requested claims', async () => {
    const args = [
      '--sub',
      'ops',
      '--permissions',
      'session:view, key:*',
      '--ttl',
      '15m',
      '--platform',
      'PSN',
    ];
    const program = await startProgram('token', { ...quiet, AUTH_ISSUER: 'i' }, args);
    expect(await program.ended).toBe(0);
    const payload = program.stdout().split('.')[1] ?? '';
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(claims).toMatchObject({
      sub: 'ops',
      permissions: ['session:view', 'key:*'],
      platform: 'PSN',
      iss: 'i',
    });
    expect(claims.exp - claims.iat).toBe(900);
  });

  it.each([
    [
      {},
      /^For the service, signed with the secret in \/\S+\/jwt-secret\. .*with its DATA_DIR\.\n$/,
    ],
    [
      { PORT: '3456', AUTH_JWT_SECRET: randomUUID() },
      /^For the service at http:\/\/127\.0\.0\.1:3456, signed with AUTH_JWT_SECRET\. /,
    ],
  ])('prints its service on standard error, with %j', async (env, sentence) => {
    const args = ['--sub', 'x', '--permissions', '*'];
    const program = await startProgram('token', env, args);
    expect(await program.ended).toBe(0);
    expect(program.stdout()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(program.stderr()).toMatch(sentence);
  });

  it.each([
    [[], '--sub'],
    [['--sub', 'x'], '--permissions'],
    [['--sbu', 'x'], '--sbu'],
  ])('explains on standard error what is wrong with %j', async (args, option) => {
    const program = await startProgram('token', quiet, args);
    expect([await program.ended, program.stdout()]).toEqual([2, '']);
    const [sentence, , usage] = program.stderr().split('\n');
    expect(sentence).toContain(option);
    expect(usage).toMatch(/^usage: npm run -s muster -- token/);
  });

  it('prints its usage', async () => {
    const program = await startProgram('token', quiet, ['--help']);
    expect([await program.ended, program.stderr()]).toEqual([0, '']);
    expect(program.stdout()).toMatch(/^usage: npm run -s muster -- token .*--help +print this\n$/s);
  });

  it('refuses to sign for an issuer with published keys', async () => {
    const env = { AUTH_JWKS_URL: 'https://id.example/jwks', AUTH_ISSUER: 'i', AUTH_AUDIENCE: 'a' };
    const program = await startProgram('token', env, ['--sub', 'x', '--permissions', '*']);
    expect([await program.ended, program.stdout()]).toEqual([1, '']);
    expect(program.stderr()).toMatch(/^AUTH_JWKS_URL .*\n$/);
  });
});
