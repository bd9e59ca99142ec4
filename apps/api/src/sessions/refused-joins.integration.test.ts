// Refused joins over HTTP, and what is stored of them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMetric } from '../../test/read-metrics.ts';
import type { TestService, TestToken } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from '../admin/testing/admin-client.ts';
import { createAdminClient, createSession, join } from '../admin/testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

type Row = Record<string, unknown> & { refused: number };

const readRows = async (player: string): Promise<Row[]> => {
  const { rows } = await service.database.pool.query<Row>(
    'SELECT *, refused::int FROM refused_join WHERE player_uuid = $1 ORDER BY refusal_id',
    [player],
  );
  return rows;
};

/** Waits until this many refusals of the player are stored or counted. */
const waitForRows = async (player: string, refused = 1): Promise<Row[]> => {
  await expect
    .poll(async () => countRefusals(await readRows(player)), { timeout: 10_000 })
    .toBe(refused);
  return readRows(player);
};

/** The first and the last row of an hour have its count. */
const countRefusals = (rows: readonly Row[]): number => {
  const hours = Map.groupBy(rows, ({ hour }) => String(hour));
  return [...hours.values()].reduce((sum, [first]) => sum + (first?.refused ?? 0), 0);
};

/** Refused joins are written in order, so that nothing of an earlier request is written after this. */
const waitForAllWritten = async () => {
  const player = randomUUID();
  await join(service, 'bm9uZQ', player);
  await waitForRows(player);
};

const send = async (path: string, token: TestToken, body: unknown, requestId = 'test') =>
  fetch(`${service.baseUrl}/session/v1/${path}`, {
    method: 'POST',
    headers: { ...(await service.headers(token)), 'x-request-id': requestId },
    body: JSON.stringify(body),
  });

const BODY = {
  client_version: '1.0.0',
  client_settings: { platform: 'PSN', input: 'gamepad' },
  team_id: 0,
};
const self = (player: string): TestToken => ({
  sub: player,
  permissions: ['session:update-player:self'],
});
const pathOf = (player: string, id = 'bm9uZQ==', platform = 'PSN') =>
  `platform/${platform}/platform-session/${encodeURIComponent(id)}/player/${player}`;

describe('a refused join is stored', () => {
  test('that finds no platform session, with time, platform, account, code, sentence and request id', async () => {
    const player = randomUUID();
    const before = Date.now();
    const response = await send(pathOf(player), self(player), BODY, 'request-of-a-player');
    expect(response.status).toBe(404);
    const [row] = await waitForRows(player);
    expect(row).toMatchObject({
      player_uuid: player,
      account_id: player,
      named_player: null,
      platform: 'PSN',
      platform_session_id_base64: 'bm9uZQ==',
      type: null,
      session_id: null,
      error_code: 'platform_session_not_found',
      sentence: 'There is no such platform session.',
      request_id: 'request-of-a-player',
    });
    expect(Number(row?.refused_at)).toBeGreaterThanOrEqual(before);
    expect(Number(row?.refused_at)).toBeLessThanOrEqual(Date.now());
  });

  test('with the session that it reached', async () => {
    const { name, platformSessionId } = await createSession(admin, { joinable: false });
    const player = randomUUID();
    expect((await join(service, platformSessionId, player)).status).toBe(403);
    expect(await waitForRows(player)).toMatchObject([
      { ...name, error_code: 'session_not_joinable', platform: 'Steam' },
    ]);
  });

  test('that is 422, with its problems and no value of its body', async () => {
    const player = randomUUID();
    const body = { ...BODY, team_id: 'the-secret-team', custom_data: { a: 'the-secret-value' } };
    expect((await send(pathOf(player), self(player), body)).status).toBe(422);
    const [row] = await waitForRows(player);
    expect(row).toMatchObject({ error_code: 'input_invalid', platform: 'PSN' });
    expect(row?.sentence).toMatch(/^body\.team_id: .+\.$/);
    expect(JSON.stringify(row)).not.toContain('the-secret');
  });

  test('that names a team the session lacks, with its own code', async () => {
    const { platformSessionId } = await createSession(admin);
    const player = randomUUID();
    expect((await join(service, platformSessionId, player, { team_id: 9 })).status).toBe(422);
    expect(await waitForRows(player)).toMatchObject([{ error_code: 'team_not_found' }]);
  });

  test('whose path is no platform and no player, as bounded text of the caller', async () => {
    const player = randomUUID();
    const path = `platform/Play%00Station/platform-session/${'x'.repeat(4_097)}/player/%F0%9F`;
    expect((await send(path, self(player), BODY)).status).toBe(422);
    expect(await waitForRows(player)).toMatchObject([
      {
        account_id: player,
        named_player: '%F0%9F',
        platform: 'Play\u{fffd}Station',
        platform_session_id_base64: `${'x'.repeat(255)}…`,
        error_code: 'input_invalid',
      },
    ]);
  });

  test('for another player whom the caller may not act for, in the list of the caller', async () => {
    const [player, victim] = [randomUUID(), randomUUID()];
    expect((await send(pathOf(victim), self(player), BODY)).status).toBe(403);
    expect(await waitForRows(player)).toMatchObject([
      { error_code: 'insufficient_permissions', account_id: player, named_player: victim },
    ]);
    expect(await readRows(victim)).toEqual([]);
  });

  test('for a player, by an account that is no player and has no permission, in no list of a player', async () => {
    const victim = randomUUID();
    const stranger = { sub: 'auth0|stranger', permissions: [] };
    expect((await send(pathOf(victim), stranger, BODY)).status).toBe(403);
    const none = '00000000-0000-0000-0000-000000000000';
    expect(await waitForRows(none)).toMatchObject([{ named_player: victim }]);
    expect(await readRows(victim)).toEqual([]);
  });

  test('of a service that acts for a player, in the list of the player', async () => {
    const player = randomUUID();
    const token = { sub: 'matchmaker', permissions: ['session:update-player:any'] };
    expect((await send(pathOf(player), token, BODY)).status).toBe(404);
    expect(await waitForRows(player)).toMatchObject([
      { account_id: 'matchmaker', named_player: null },
    ]);
  });
});

describe('nothing is stored of', () => {
  test('an accepted join, nor of requests without a verified credential', async () => {
    const { platformSessionId } = await createSession(admin);
    const player = randomUUID();
    expect((await join(service, platformSessionId, player)).status).toBe(200);
    const path = `${service.baseUrl}/session/v1/${pathOf(player)}`;
    const body = JSON.stringify(BODY);
    expect((await fetch(path, { method: 'POST', body })).status).toBe(403);
    const headers = { authorization: 'Bearer a.b.c', 'content-type': 'application/json' };
    expect((await fetch(path, { method: 'POST', body, headers })).status).toBe(403);
    await waitForAllWritten();
    expect(await readRows(player)).toEqual([]);
  });

  test('a request over the rate limit', async () => {
    // More than the burst and what is added to it while a slow machine answers them.
    const REQUESTS = 150;
    const player = randomUUID();
    const codes = await Promise.all(
      Array.from({ length: REQUESTS }, async () => (await join(service, 'bm9uZQ', player)).body),
    );
    const limited = codes.filter(({ error_code }) => error_code === 'rate_limited').length;
    expect(limited).toBeGreaterThan(0);
    await waitForRows(player, REQUESTS - limited);
    await waitForAllWritten();
    expect(countRefusals(await readRows(player))).toBe(REQUESTS - limited);
  });
});

describe('a client that sends refused joins in a loop', () => {
  test('gets 20 rows an hour over all processes, and a count of the others', async () => {
    const other = await startTestService({ databaseUrl: service.databaseUrl });
    const player = randomUUID();
    const joinInALoop = async (process: TestService) => {
      for (let count = 0; count < 25; count += 1) await join(process, 'bm9uZQ', player);
    };
    await Promise.all([joinInALoop(service), joinInALoop(other)]);
    const rows = await waitForRows(player, 50);
    await other.close();
    const hours = [...Map.groupBy(rows, ({ hour }) => String(hour)).values()];
    for (const ofHour of hours) {
      const refused = ofHour[0]?.refused ?? 0;
      expect(ofHour.map(({ number }) => number).sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: Math.min(20, refused) }, (_, index) => index + 1),
      );
      if (refused > 20) {
        expect(ofHour.find(({ number }) => number === 20)?.refused).toBe(refused);
      }
    }
  });
});

test('deleting a player deletes the refused joins, also those that wait to be written', async () => {
  const player = randomUUID();
  await admin.mutate('players.register', { player_uuid: player });
  await join(service, 'bm9uZQ', player);
  await waitForRows(player);
  await join(service, 'bm9uZQ', player);
  expect((await admin.mutate('players.delete', { player_uuid: player })).status).toBe(200);
  await waitForAllWritten();
  expect(await readRows(player)).toEqual([]);
});

test('the refused joins of a player who was never registered can be deleted as well', async () => {
  const player = randomUUID();
  await join(service, 'bm9uZQ', player);
  await waitForRows(player);
  expect((await admin.mutate('players.delete', { player_uuid: player })).status).toBe(200);
  expect(await readRows(player)).toEqual([]);
  expect((await admin.mutate('players.delete', { player_uuid: player })).status).toBe(404);
});

test('an outage of the table delays no response, and the metric counts what is not stored', async () => {
  const dropped = () =>
    readMetric(service, 'muster_refused_joins_dropped_total{reason="database"}');
  const { pool } = service.database;
  await pool.query('ALTER TABLE refused_join RENAME TO refused_join_gone');
  const player = randomUUID();
  try {
    expect((await join(service, 'bm9uZQ', player)).status).toBe(404);
    await expect.poll(dropped, { timeout: 10_000 }).toBe(1);
  } finally {
    await pool.query('ALTER TABLE refused_join_gone RENAME TO refused_join');
  }
  await join(service, 'bm9uZQ', player);
  await waitForRows(player);
});
