import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMusterClient, isServiceError } from '../src/index.ts';
import type { Service } from './start/start-service.ts';
import { signToken, startService } from './start/start-service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.admin('sessionTypes.upsert', { type: 'match', default_teams: [] });
});
afterAll(() => service?.stop());

const PLAYER = '5f0c8f2e-3f4b-4d65-9d0a-1c1f5f2b7a01';
const ANYONE = ['session:*'];

const connect = (sub = PLAYER, permissions = ['session:update-player:self']) =>
  createMusterClient({ baseUrl: service.baseUrl, token: signToken(sub, permissions) });

const makeSession = async (id: string, max_size = 2) => {
  const child = { platform: 'Steam', platform_session_type: 't', platform_session_id_base64: id };
  const teams = [
    { team_id: 0, max_size },
    { team_id: 1, max_size },
  ];
  await service.admin('sessions.create', { type: 'match', teams, platform_session: [child] });
};

const joinOf = (id: string, player_uuid = PLAYER) =>
  ({
    platform: 'Steam',
    platform_session_id_base64: id,
    player_uuid,
    body: {
      client_version: '1.4.2',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      team_id: 0,
    },
  }) as const;

describe('companion calls', () => {
  test('list, read and leave the session that a player has joined', async () => {
    await makeSession('Y29tcGFuaW9u');
    const player = randomUUID();
    const client = connect(player);
    const joined = await client.joinByPlatformSession(joinOf('Y29tcGFuaW9u', player));
    const { sessions } = await client.listPlayerSessions({ player_uuid: player });
    const { type, session_id } = joined.session;
    expect(sessions).toMatchObject([{ type, session_id, status: 'leader', team_id: 0 }]);
    const name = { type, session_id };
    const read = await client.readSession(name);
    expect([read.session, read.etag]).toEqual([joined.session, joined.etag]);
    const same = await client.readSession({ ...name, if_none_match: read.etag ?? '' });
    expect([same.session, same.etag]).toEqual([null, read.etag]);
    await client.leaveSession({ ...name, player_uuid: player });
    await client.leaveSession({ ...name, player_uuid: player });
    const gone = await client.readSession(name).catch((error: unknown) => error);
    expect(isServiceError(gone, 'session_not_found')).toBe(true);
  });
});

describe('joins', () => {
  test('gives the first player the lead, and the same ETag to the same join again', async () => {
    await makeSession('bXVzdGVy');
    const first = await connect().joinByPlatformSession(joinOf('bXVzdGVy'));
    expect(first.session.teams[0]?.players).toMatchObject([
      { player_uuid: PLAYER, status: 'leader' },
    ]);
    expect(first.etag).toMatch(/^"/);
    expect(first.requestId).toBeTruthy();
    const again = await connect().joinByPlatformSession(joinOf('bXVzdGVy'));
    expect(again.etag).toBe(first.etag);
  });

  const long = `+/${'A'.repeat(4092)}==`;
  test.each([
    ['+/+/', ['+/+/', '-_-_']],
    ['aGk=', ['aGk=', 'aGk']],
    [long, [long, long.replace('+/', '-_').slice(0, -2)]],
  ])('reaches a platform session by every spelling of its id (%#)', async (id, spellings) => {
    await makeSession(id);
    for (const spelling of spellings) {
      const { session } = await connect().joinByPlatformSession(joinOf(spelling));
      expect(session.platform_session[0]?.platform_session_id_base64).toBe(id);
    }
  });

  test('reports a full team by its code, with the time to wait, and does not retry', async () => {
    await makeSession('ZnVsbA', 1);
    const backend = connect('game-backend', ANYONE);
    const latecomer = randomUUID();
    await service.admin('players.register', { player_uuid: latecomer });
    await backend.joinByPlatformSession(joinOf('ZnVsbA'));
    const startedMs = performance.now();
    const error = await backend.joinByPlatformSession(joinOf('ZnVsbA', latecomer)).catch((e) => e);
    expect(isServiceError(error, 'team_full')).toBe(true);
    expect(error).toMatchObject({ status: 409, authSuccess: true });
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(performance.now() - startedMs).toBeLessThan(1000 * error.retryAfterSeconds);
  });

  test('refreshes an expired token once, for all calls together', async () => {
    await makeSession('cmVmcmVzaA', 100);
    const lives = [-3_600, 3_600];
    const client = createMusterClient({
      baseUrl: service.baseUrl,
      token: () => signToken('game-backend', ANYONE, lives.shift()),
    });
    const players = Array.from({ length: 10 }, () => randomUUID());
    for (const player_uuid of players) await service.admin('players.register', { player_uuid });
    await Promise.all(players.map((p) => client.joinByPlatformSession(joinOf('cmVmcmVzaA', p))));
    expect(lives).toEqual([]);
  });

  test('lists every problem of a request that is not valid', async () => {
    const request = joinOf('bXVzdGVy');
    const body = { ...request.body, client_version: 'new', team_id: 1.5 };
    const joining = connect().joinByPlatformSession({ ...request, body });
    await expect(joining).rejects.toMatchObject({
      name: 'ValidationError',
      detail: [{ loc: ['body', 'client_version'] }, { loc: ['body', 'team_id'] }],
    });
  });
});

describe('histories', () => {
  const viewer = () => connect('viewer', ['sandbox:config:view']);

  test('walks every version once, with filters, in both orders', async () => {
    const { sandbox_id } = await service.admin<{ sandbox_id: string }>('sandboxes.create', {
      name: 'Live',
    });
    const items = Array.from({ length: 9 }, (_, index) => ({
      sandbox_id,
      name: `Sword & Söhne #${index % 3}`,
      item_type: 'unit',
      legacy_item_id: index,
    }));
    const ids: string[] = [];
    for (const item of items) {
      ids.push((await service.admin<{ item_id: string }>('items.create', item)).item_id);
    }
    const walk = (filters: object) =>
      Array.fromAsync(
        viewer().walkHistory({ kind: 'item', sandbox_id, page_size: 2, ...filters }),
        ({ version }) => version?.legacy_item_id,
      );
    expect(await walk({})).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(await walk({ sort_order: 'asc' })).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await walk({ name: 'sword & SÖHNE #1' })).toEqual([7, 4, 1]);
    expect(await walk({ item_ids: [ids[3], ids[5]] })).toEqual([5, 3]);
    expect(await walk({ legacy_item_ids: [0, 8] })).toEqual([8, 0]);
  });

  test('an unknown sandbox has an empty history of Xp', async () => {
    const page = await viewer().listXpHistory({ sandbox_id: randomUUID() });
    expect(page).toMatchObject({ transactions: [], page_meta: { total: 0, page_size: 50 } });
  });
});
