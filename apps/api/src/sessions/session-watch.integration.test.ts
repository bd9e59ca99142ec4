// Long polls on one session: by backends through the admin API and by players through the companion endpoint.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  asPlayer,
  asReader,
  createCompanionClient,
  sessionPath,
} from '../../test/companion-client.ts';
import { readMetric } from '../../test/read-metrics.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from '../admin/testing/admin-client.ts';
import { createAdminClient, createSession, join } from '../admin/testing/admin-client.ts';

let service: TestService;
let other: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  other = await startTestService({ databaseUrl: service.databaseUrl });
  admin = createAdminClient(service);
});
afterAll(async () => {
  await other.close();
  await service.close();
});

/** Requests that wait in the process. */
const countWaiting = (of: TestService): Promise<number> => readMetric(of, 'muster_watches_waiting');

const untilWaiting = (of: TestService, count: number) =>
  expect.poll(() => countWaiting(of), { timeout: 10_000 }).toBe(count);

/** Milliseconds that the work takes, with its result. */
const timed = async <Result>(work: Promise<Result>): Promise<[number, Result]> => {
  const startedAt = performance.now();
  const result = await work;
  return [performance.now() - startedAt, result];
};

describe('sessions.watch', () => {
  test('replies at once to a caller who does not have the current ETag', async () => {
    const { name, etag } = await createSession(admin);
    const [ms, { data }] = await timed(
      admin.query('sessions.watch', { ...name, wait_seconds: 55 }),
    );
    expect(data).toMatchObject({ etag, session: name });
    expect(ms).toBeLessThan(5_000);
    const outdated = { ...name, if_none_match: '"old-1"', wait_seconds: 55 };
    expect((await admin.mutate('sessions.watch', outdated)).data).toMatchObject({ etag });
    const unknown = { type: 'duel', session_id: randomUUID(), wait_seconds: 55 };
    // The client reads null as no data.
    expect(await admin.query('sessions.watch', unknown)).toMatchObject({ status: 200, data: {} });
  });

  test.each([
    ['in the same process', () => service],
    ['in another process', () => other],
  ])('replies to a join %s with the new state', async (_, joinedAt) => {
    const { name, etag, platformSessionId } = await createSession(admin);
    const watching = admin.query('sessions.watch', {
      ...name,
      if_none_match: etag,
      wait_seconds: 55,
    });
    await untilWaiting(service, 1);
    const player = randomUUID();
    const joined = await join(joinedAt(), platformSessionId, player);
    const [ms, { data }] = await timed(watching);
    expect(data).toMatchObject({ etag: joined.etag });
    expect(JSON.stringify(data)).toContain(player);
    expect(ms).toBeLessThan(5_000);
    await untilWaiting(service, 0);
  });

  test('replies `unchanged` after the wait, and with the last state when the session ends', async () => {
    const { name, etag } = await createSession(admin);
    const input = { ...name, if_none_match: etag };
    const { data } = await admin.query('sessions.watch', { ...input, wait_seconds: 1 });
    expect(data).toEqual({ unchanged: true });
    const watching = admin.query('sessions.watch', { ...input, wait_seconds: 55 });
    await untilWaiting(service, 1);
    await admin.mutate('sessions.end', name);
    expect((await watching).data).toMatchObject({ ended: expect.any(String), session: name });
    const again = await admin.query('sessions.watch', { ...input, wait_seconds: 55 });
    expect(again.data).toMatchObject({ ended: expect.any(String) });
  });

  test('replies without a session when another process ends and deletes it at once', async () => {
    const { name, etag } = await createSession(admin);
    const input = { ...name, if_none_match: etag, wait_seconds: 55 };
    const watching = admin.query('sessions.watch', input);
    await untilWaiting(service, 1);
    // One transaction, so that no check is between the two.
    await other.database.prisma.$transaction(async (transaction) => {
      const where = { sessionId: name.session_id };
      await transaction.session.updateMany({ where, data: { endedAt: new Date() } });
      await transaction.session.deleteMany({ where });
    });
    const [ms, answer] = await timed(watching);
    expect(answer).toMatchObject({ status: 200, data: {} });
    expect(ms).toBeLessThan(10_000);
  });

  test('replies to one caller at most every 250 ms, with the newest state', async () => {
    const { name, platformSessionId } = await createSession(admin, { teams: [{ max_size: 100 }] });
    let etag: unknown;
    let replies = 0;
    const startedAt = performance.now();
    const joins = (async () => {
      for (let count = 0; count < 50; count += 1) {
        await join(service, platformSessionId, randomUUID());
      }
    })();
    let isDone = false;
    void joins.then(() => {
      isDone = true;
    });
    for (let isLast = false; !isLast; replies += 1) {
      isLast = isDone;
      const input = { ...name, ...(etag ? { if_none_match: etag } : {}), wait_seconds: 1 };
      const { data } = await admin.query('sessions.watch', input);
      etag = data.etag ?? etag;
    }
    expect(replies).toBeLessThanOrEqual((performance.now() - startedAt) / 250 + 2);
    const found = await admin.query('sessions.get', name);
    expect(etag).toBe(found.data.etag);
  });

  test('does not wait in a batch', async () => {
    const { name, etag } = await createSession(admin);
    const input = { ...name, if_none_match: etag, wait_seconds: 55 };
    const calls = encodeURIComponent(JSON.stringify({ 0: input, 1: input }));
    const path = `/admin/trpc/sessions.watch,sessions.watch?batch=1&input=${calls}`;
    const [ms, response] = await timed(
      fetch(service.baseUrl + path, { headers: await service.headers() }),
    );
    expect(await response.json()).toMatchObject(
      [1, 2].map(() => ({ result: { data: { unchanged: true } } })),
    );
    expect(ms).toBeLessThan(10_000);
  });

  test('holds no slot and does not count against its caller while it waits', async () => {
    const { name, etag, platformSessionId } = await createSession(admin);
    const input = { ...name, if_none_match: etag, wait_seconds: 55 };
    const watching: ReturnType<typeof admin.query>[] = [];
    // In total more than the slots, the queue and the requests in progress of one service. They start in three steps,
    // since a busy service rejects requests that arrive all at once.
    for (const count of [100, 200, 300]) {
      watching.push(...Array.from({ length: 100 }, () => admin.query('sessions.watch', input)));
      await untilWaiting(service, count);
    }
    expect((await admin.query('sessions.get', name)).status).toBe(200);
    const joined = await join(service, platformSessionId, randomUUID());
    for (const { data } of await Promise.all(watching)) expect(data.etag).toBe(joined.etag);
    await untilWaiting(service, 0);
    expect(await readMetric(service, 'muster_requests_running{kind="admin"}')).toBe(0);
  });

  test('a client that disconnects leaves nothing behind', async () => {
    const { name, etag } = await createSession(admin);
    const leaving = new AbortController();
    const input = { ...name, if_none_match: etag, wait_seconds: 55 };
    const url = `${service.baseUrl}/admin/trpc/sessions.watch?input=${encodeURIComponent(JSON.stringify(input))}`;
    const headers = await service.headers();
    const requests = Array.from({ length: 20 }, () =>
      fetch(url, { headers, signal: leaving.signal }).catch(() => 'aborted'),
    );
    await untilWaiting(service, 20);
    leaving.abort();
    expect(new Set(await Promise.all(requests))).toEqual(new Set(['aborted']));
    await untilWaiting(service, 0);
  });

  test('checks the key again after the wait', async () => {
    const { name, etag, platformSessionId } = await createSession(admin);
    const account = await admin.mutate('keys.createAccount', { name: `watcher ${randomUUID()}` });
    const made = await admin.mutate('keys.create', {
      account_id: account.data.account_id,
      name: 'watcher',
      permissions: ['session:view'],
    });
    const { key, key_id } = made.data as { key: string; key_id: string };
    const input = { ...name, if_none_match: etag, wait_seconds: 55 };
    const watching = fetch(`${service.baseUrl}/admin/trpc/sessions.watch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    await untilWaiting(service, 1);
    await admin.mutate('keys.revoke', { key_id });
    await join(service, platformSessionId, randomUUID());
    expect((await watching).status).toBe(403);
  });

  test('is refused when as many wait as the setting allows', async () => {
    const small = await startTestService({
      databaseUrl: service.databaseUrl,
      env: { MAX_WAITING_WATCHES: '2' },
    });
    try {
      const client = createAdminClient(small);
      const { name, etag } = await createSession(client);
      const input = { ...name, if_none_match: etag, wait_seconds: 55 };
      const watching = [1, 2].map(() => client.query('sessions.watch', input));
      await untilWaiting(small, 2);
      const refused = await client.query('sessions.watch', input);
      expect(refused).toMatchObject({ status: 503, error: { error_code: 'service_unavailable' } });
      // A stop ends the waits.
      small.prepareStop();
      for (const { data } of await Promise.all(watching)) expect(data).toEqual({ unchanged: true });
    } finally {
      await small.close();
    }
  });
});

describe('a companion read with `wait`', () => {
  const read = (
    name: { type: string; session_id: string },
    player: string,
    etag: string,
    wait = 55,
  ) =>
    createCompanionClient(service).ask(`${sessionPath(name)}?wait=${wait}`, asPlayer(player), {
      headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
    });

  test('gives a seated player the connection data once the instance has it', async () => {
    const { name, platformSessionId } = await createSession(admin);
    const player = randomUUID();
    const joined = await join(service, platformSessionId, player);
    expect(joined.status).toBe(200);
    const reading = read(name, player, joined.etag ?? '');
    await untilWaiting(service, 1);
    const join_params = { public_conn_str: '203.0.113.9:7777', private_conn_str: '10.0.0.9:7777' };
    const instance = {
      instance_id: 'i-1',
      host_type: 'dedicated',
      host_dedicated_server_id: 'server-7',
      join_status: 'joinable',
      join_params,
    };
    const set = await admin.mutate('sessions.setInstance', { ...name, instance });
    expect(set.error).toBeUndefined();
    const answer = await reading;
    expect(answer.status).toBe(200);
    expect(answer.body.instance).toMatchObject({ join_params });
    await untilWaiting(service, 0);
  });

  test('is 304 after the wait, for an invited player too, and 404 when the player is removed', async () => {
    const { name } = await createSession(admin);
    const player = randomUUID();
    const seat = { ...name, player_uuid: player, team_id: 0, status: 'invited' };
    await admin.mutate('sessions.invitePlayer', seat);
    const client = createCompanionClient(service);
    const { etag } = await client.read(name, asPlayer(player));
    expect((await read(name, player, etag ?? '', 1)).status).toBe(304);
    const reading = read(name, player, etag ?? '');
    await untilWaiting(service, 1);
    await admin.mutate('sessions.removePlayer', { ...name, player_uuid: player });
    expect((await reading).body.error_code).toBe('session_not_found');
    expect((await client.ask(`${sessionPath(name)}?wait=1`, asReader)).status).toBe(200);
  });

  test.each(['0', '56', '1.5', 'soon', '1&wait=2'])('refuses wait=%s with 422', async (wait) => {
    const { name } = await createSession(admin);
    const client = createCompanionClient(service);
    const answer = await client.ask(`${sessionPath(name)}?wait=${wait}`, asReader);
    expect(answer.status).toBe(422);
  });

  test('does not outlive a connection with more requests than are read ahead', async () => {
    const { name, etag } = await createSession(admin);
    const { authorization } = await service.headers(asReader);
    const { hostname, port } = new URL(service.baseUrl);
    const lines = [
      `GET ${sessionPath(name)}?wait=55 HTTP/1.1`,
      `Host: ${hostname}`,
      `Authorization: ${authorization}`,
      `If-None-Match: ${etag}`,
    ];
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.write(`${lines.join('\r\n')}\r\n\r\n`.repeat(4));
    await untilWaiting(service, 1);
    // The first request replies at once, and the next one waits.
    await expect.poll(() => text, { timeout: 10_000 }).toContain('304 Not Modified');
    socket.destroy();
    await untilWaiting(service, 0);
  });

  test('counts a waiting player as in progress', async () => {
    const { name, platformSessionId } = await createSession(admin);
    const player = randomUUID();
    const { etag } = await join(service, platformSessionId, player);
    const reading = Array.from({ length: 8 }, () => read(name, player, etag ?? '', 5));
    await untilWaiting(service, 8);
    expect((await read(name, player, etag ?? '', 5)).status).toBe(429);
    for (const { status } of await Promise.all(reading)) expect(status).toBe(304);
  });
});
