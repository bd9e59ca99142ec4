import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionName } from '../../test/companion-client.ts';
import {
  asPlayer,
  asReader,
  createCompanionClient,
  listPath,
  sessionPath,
} from '../../test/companion-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from '../admin/testing/admin-client.ts';
import { createAdminClient, createSession, join } from '../admin/testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
let client: ReturnType<typeof createCompanionClient>;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
  client = createCompanionClient(service);
});
afterAll(() => service.close());

const INSTANCE = {
  instance_id: 'i-1',
  host_type: 'dedicated',
  host_dedicated_server_id: 'server-7',
  join_status: 'joinable',
  join_params: { public_conn_str: '203.0.113.9:7777', private_conn_str: '10.0.0.9:7777' },
  instance_startup_params: { map: 'harbour', misc_params: '-password=open' },
  custom_data: { address: '203.0.113.9' },
};

/** A session with a leader and a member, an invited player and one with a reserved seat. */
const createScene = async () => {
  const [leader, member, invited, reserved] = [1, 2, 3, 4].map(() => randomUUID()) as [
    string,
    string,
    string,
    string,
  ];
  const { name, platformSessionId } = await createSession(admin, {
    teams: [{ max_size: 10 }],
    instance: INSTANCE,
  });
  const custom_data = { secret: 'of the leader' };
  await join(service, platformSessionId, leader, { custom_data });
  await join(service, platformSessionId, member);
  await hold(name, invited, 'invited');
  await hold(name, reserved, 'reserved');
  return { name, platformSessionId, leader, member, invited, reserved };
};

const hold = async (name: SessionName, player_uuid: string, status: 'invited' | 'reserved') => {
  const input = { ...name, player_uuid, team_id: 0, status };
  const { error } = await admin.mutate('sessions.invitePlayer', input);
  if (error) throw new Error(error.desc);
};

const NOT_FOUND = {
  auth_success: true,
  error_code: 'session_not_found',
  desc: 'There is no such session.',
};

describe('a read of a session', () => {
  test.each(['leader', 'member'] as const)('gives the %s what a join returns', async (role) => {
    const scene = await createScene();
    const joined = await join(service, scene.platformSessionId, scene[role], {
      custom_data: { mine: '1' },
    });
    const answer = await client.read(scene.name, asPlayer(scene[role]));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(joined.body);
    expect(answer.etag).toBe(joined.etag);
    expect(answer.body.instance).toMatchObject(INSTANCE);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toMatch(/./);
  });

  test.each([['session:view'], ['session:*'], ['*']])(
    'gives all of it to a service with %s',
    async (permission) => {
      const { name } = await createScene();
      const answer = await client.read(name, { sub: 'backend', permissions: [permission] });
      const { data } = await admin.query('sessions.get', name);
      expect([answer.status, answer.body, answer.etag]).toEqual([200, data.session, data.etag]);
    },
  );

  test.each(['invited', 'reserved'] as const)(
    'shows the %s player neither connection data nor custom data of others',
    async (role) => {
      const scene = await createScene();
      const full = await client.read(scene.name, asReader);
      const answer = await client.read(scene.name, asPlayer(scene[role]));
      expect(answer.status).toBe(200);
      for (const hidden of ['203.0.113.9', '10.0.0.9', '-password', 'server-7', 'of the leader']) {
        expect(full.text).toContain(hidden);
        expect(answer.text).not.toContain(hidden);
      }
      const { instance, teams, ...others } = answer.body;
      expect(instance).toEqual({
        instance_id: 'i-1',
        host_type: 'dedicated',
        join_status: 'joinable',
        created: expect.any(String),
      });
      expect((teams as { players: object[] }[])[0]?.players).toHaveLength(4);
      expect(full.body).toMatchObject(others);
      expect(answer.etag).not.toBe(full.etag);
    },
  );

  test('shows all of it to an invited player after the join', async () => {
    const scene = await createScene();
    const before = await client.read(scene.name, asPlayer(scene.invited));
    await join(service, scene.platformSessionId, scene.invited);
    const after = await client.read(scene.name, asPlayer(scene.invited), before.etag ?? '');
    expect(after.status).toBe(200);
    expect(after.text).toContain('203.0.113.9');
  });
});

describe('a session of others', () => {
  const NAMELESS = { type: 'duel', session_id: randomUUID() };
  const comparable = ({ headers, ...answer }: Awaited<ReturnType<typeof client.read>>) => ({
    ...answer,
    headers: [...headers].filter(([header]) => !['date', 'x-request-id'].includes(header)),
  });

  test('looks like one that does not exist', async () => {
    const { name } = await createScene();
    const stranger = asPlayer(randomUUID());
    const unknown = await client.read(NAMELESS, stranger);
    expect([unknown.status, unknown.body]).toEqual([404, NOT_FOUND]);
    expect(comparable(await client.read(name, stranger))).toEqual(comparable(unknown));
    // Not even by a known ETag.
    const { etag } = await client.read(name, asReader);
    expect(comparable(await client.read(name, stranger, etag ?? ''))).toEqual(comparable(unknown));
  });

  test('looks so to a removed player too', async () => {
    const { name, member } = await createScene();
    await admin.mutate('sessions.removePlayer', { ...name, player_uuid: member });
    const unknown = await client.read(NAMELESS, asPlayer(member));
    expect(comparable(await client.read(name, asPlayer(member)))).toEqual(comparable(unknown));
  });

  test('is not readable with the permission of a player and the id of a service', async () => {
    const { name } = await createScene();
    const caller = { sub: 'backend', permissions: ['session:update-player:self'] };
    expect((await client.read(name, caller)).body).toEqual(NOT_FOUND);
  });

  test('is not found by a service either once it has ended, nor one that never existed', async () => {
    const { name, leader } = await createScene();
    await admin.mutate('sessions.end', name);
    for (const caller of [asReader, asPlayer(leader)]) {
      expect((await client.read(name, caller)).body).toEqual(NOT_FOUND);
    }
    expect((await client.read(NAMELESS, asReader)).body).toEqual(NOT_FOUND);
  });
});

describe('a conditional read', () => {
  test('is 304 without a body while the session is unchanged, and 200 after a change', async () => {
    const scene = await createScene();
    for (const player of [scene.member, scene.invited]) {
      const first = await client.read(scene.name, asPlayer(player));
      const etag = first.etag ?? '';
      const again = await client.read(scene.name, asPlayer(player), etag);
      expect([again.status, again.text, again.etag]).toEqual([304, '', etag]);
    }
    const { etag } = await client.read(scene.name, asPlayer(scene.member));
    await join(service, scene.platformSessionId, randomUUID());
    const changed = await client.read(scene.name, asPlayer(scene.member), etag ?? '');
    expect(changed.status).toBe(200);
    expect(changed.etag).not.toBe(etag);
  });

  test('takes lists, weak tags and a star', async () => {
    const { name, member } = await createScene();
    const { etag } = await client.read(name, asPlayer(member));
    const statusOf = async (condition: string) =>
      (await client.read(name, asPlayer(member), condition)).status;
    expect(await statusOf(`"a", ${etag}`)).toBe(304);
    expect(await statusOf(`W/${etag}`)).toBe(304);
    expect(await statusOf('*')).toBe(304);
    expect(await statusOf('"a", "b"')).toBe(200);
    expect(await statusOf(String(etag).replaceAll('"', ''))).toBe(200);
  });
});

describe('the credential', () => {
  const refusalOf = async (caller: Parameters<typeof client.ask>[1], headers = {}) => {
    const { name, leader } = scene;
    const answers = [
      await client.ask(sessionPath(name), caller, { headers }),
      await client.ask(listPath(leader), caller, { headers }),
      await client.ask(`${sessionPath(name)}/player/${leader}`, caller, {
        method: 'DELETE',
        headers,
      }),
    ];
    return answers.map(({ status, body }) => [status, body.error_code, body.auth_success]);
  };
  const thrice = (...refusal: unknown[]) => [refusal, refusal, refusal];
  let scene: Awaited<ReturnType<typeof createScene>>;
  beforeAll(async () => {
    scene = await createScene();
  });

  test('is required, and a malformed or expired one is refused', async () => {
    expect(await refusalOf(null)).toEqual(thrice(403, 'auth_missing', false));
    const malformed = { authorization: 'Bearer a.b.c' };
    expect(await refusalOf(null, malformed)).toEqual(thrice(403, 'auth_token_format', false));
    const expired = { ...asPlayer(scene.leader), ttlSeconds: -3_600 };
    expect(await refusalOf(expired)).toEqual(thrice(403, 'auth_token_expired', false));
  });

  test('of a signed-in person is no credential here', async () => {
    const { cookie } = await service.createPerson({ role: 'owner' });
    expect(await refusalOf(null, { cookie })).toEqual(thrice(403, 'auth_missing', false));
  });

  test.each([
    ['no permission', []],
    ['a permission of one sandbox', ['sandbox:2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11:config:view']],
    ['the permission to see players', ['player:view']],
  ])('with %s permits nothing', async (_, permissions) => {
    const callers = [scene.leader, 'backend'].map((sub) => ({ sub, permissions }));
    for (const caller of callers) {
      expect(await refusalOf(caller)).toEqual(thrice(403, 'insufficient_permissions', true));
    }
  });

  test('of another player permits neither to list nor to leave', async () => {
    const [, ...others] = await refusalOf(asPlayer(randomUUID()));
    const refused = [403, 'insufficient_permissions', true];
    expect(others).toEqual([refused, refused]);
  });

  test('that may only read reads and lists, and cannot leave for a player', async () => {
    expect(await refusalOf(asReader)).toEqual([
      [200, undefined, undefined],
      [200, undefined, undefined],
      [403, 'insufficient_permissions', true],
    ]);
  });

  test('that may only act for players can neither read nor list', async () => {
    const caller = { sub: 'backend', permissions: ['session:update-player:any'] };
    const refused = [403, 'insufficient_permissions', true];
    expect((await refusalOf(caller)).slice(0, 2)).toEqual([refused, refused]);
  });

  test('is an API key as well', async () => {
    const { name } = scene;
    const account = await admin.mutate('keys.createAccount', { name: 'mirror' });
    const { account_id } = account.data as { account_id: string };
    const permissions = ['session:view'];
    const input = { account_id, name: 'first', permissions };
    const { data, error } = await admin.mutate('keys.create', input);
    expect(error).toBeUndefined();
    const authorization = `Bearer ${data.key}`;
    const answer = await client.ask(sessionPath(name), null, { headers: { authorization } });
    expect(answer.status).toBe(200);
  });
});

describe('the list of the sessions of a player', () => {
  test('has seats and invitations, newest first, with what a join needs', async () => {
    const player = randomUUID();
    const first = await createSession(admin);
    const second = await createSession(admin);
    const ended = await createSession(admin);
    await join(service, first.platformSessionId, player);
    await join(service, ended.platformSessionId, player);
    await hold(second.name, player, 'invited');
    await admin.mutate('sessions.end', ended.name);
    const answer = await client.list(player);
    expect(answer.status).toBe(200);
    const platformOf = (id: string) => ({
      platform: 'Steam',
      platform_session_type: 'lobby',
      platform_session_id_base64: id,
    });
    expect(answer.body).toEqual({
      sessions: [
        {
          ...second.name,
          status: 'invited',
          team_id: 0,
          platform_session: [platformOf(second.platformSessionId)],
        },
        {
          ...first.name,
          status: 'leader',
          team_id: 0,
          platform_session: [platformOf(first.platformSessionId)],
        },
      ],
    });
    expect((await client.list(player, asReader)).body).toEqual(answer.body);
  });

  test('is empty for an unregistered player', async () => {
    expect((await client.list(randomUUID())).body).toEqual({ sessions: [] });
  });

  test('reads an upper-case UUID without hyphens', async () => {
    const { leader } = await createScene();
    const spelled = leader.replaceAll('-', '').toUpperCase();
    const { body } = await client.ask(listPath(spelled), asPlayer(leader));
    expect(body.sessions).toHaveLength(1);
  });

  test('has at most a hundred', async () => {
    const player = randomUUID();
    for (let made = 0; made < 101; made += 1) {
      const { name } = await createSession(admin);
      await hold(name, player, 'invited');
    }
    const { body } = await client.list(player);
    expect(body.sessions).toHaveLength(100);
  });
});

describe('an expired seat', () => {
  test('is not shown, and a stranger who asks removes none', async () => {
    const type = `brief-${randomUUID()}`;
    await admin.mutate('sessionTypes.upsert', { type, invitation_ttl_seconds: 1 });
    const { name, platformSessionId } = await createSession(admin, { type });
    const [leader, invited] = [randomUUID(), randomUUID()];
    await join(service, platformSessionId, leader);
    await hold(name, invited, 'invited');
    const { prisma } = service.database;
    const where = { playerUuid: invited };
    await prisma.sessionSeat.updateMany({ where, data: { invitedAt: new Date(0) } });
    // The service may have cached the session before this change.
    await prisma.session.updateMany({
      where: { type },
      data: { version: { increment: 1 } },
    });

    expect((await client.read(name, asPlayer(randomUUID()))).status).toBe(404);
    expect((await client.read(name, asPlayer(invited))).body).toEqual(NOT_FOUND);
    expect((await client.list(invited)).body).toEqual({ sessions: [] });
    expect(await prisma.sessionSeat.count({ where })).toBe(1);

    const answer = await client.read(name, asPlayer(leader));
    expect(answer.text).not.toContain(invited);
    expect(await prisma.sessionSeat.count({ where })).toBe(0);
    expect((await client.read(name, asReader)).etag).toBe(answer.etag);
  });
});
