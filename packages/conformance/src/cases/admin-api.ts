import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { expectAdminRefusal, readAdminError } from '../checks.ts';
import { KINDS, newOnlyRecord, newSandbox } from '../fixtures/catalogue.ts';
import { readHistory } from '../fixtures/histories.ts';
import { join, newPlayer, randomLegacyId, randomName, tryJoin } from '../fixtures/joins.ts';
import {
  changeSession,
  newScene,
  newSession,
  newSessionType,
  readSession,
} from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Admin API');

/** Every mutation, with the permission that lets a caller use it and one that does not. */
const GUARDED = [
  ['players.register', { player_uuid: randomUUID() }, ['session:*', 'sandbox:*']],
  ['sessionTypes.upsert', { type: 'x' }, ['player:*', 'sandbox:*', 'session:update-player:any']],
  ['sessions.create', { type: 'x', teams: [{ max_size: 1 }] }, ['player:*', 'sandbox:*']],
  ['sessions.end', { type: 'x', session_id: 'x' }, ['player:*', 'session:update-player:self']],
  ['sandboxes.create', { name: 'x' }, ['session:*', 'player:*', 'sandbox:config:view']],
  [
    'items.create',
    { sandbox_id: randomUUID(), name: 'x', item_type: 'unit' },
    ['session:*', 'sandbox:config:view', `sandbox:${randomUUID()}:config:edit`],
  ],
  [
    'xp.create',
    { sandbox_id: randomUUID(), name: 'x', xp_thresholds: [] },
    ['session:*', 'sandbox:config:view', `sandbox:${randomUUID()}:config:edit`],
  ],
] as const;

const Sessions = z.object({
  sessions: z.array(z.looseObject({ session: z.object({ session_id: z.string() }) })),
  page_meta: z.object({ page_size: z.int(), cursor: z.string().optional() }),
});

const everyKind = KINDS.flatMap((kind) => [
  prove(
    `${kind.router}.get answers the record with the version that edits expect`,
    async (context) => {
      const record = await newOnlyRecord(context, kind);
      const key = { sandbox_id: record.sandboxId, [kind.id]: record.id };
      const got = await context.query(`${kind.router}.get`, key);
      const { version, [kind.id]: id } = z.looseObject({ version: z.int() }).parse(got);
      assert.equal(version, record.version);
      assert.equal(id, record.id);
    },
  ),
  prove(
    `${kind.router}: a permission narrowed to the sandbox edits there only`,
    async (context) => {
      const [mine, other] = [await newSandbox(context), await newSandbox(context)];
      const token = await context.mint({
        sub: 'designer',
        permissions: [`sandbox:${mine}:config:edit`],
      });
      const path = `/admin/trpc/${kind.router}.create`;
      const input = { name: 'x', ...kind.required };
      assert.equal((await context.post(path, { ...input, sandbox_id: mine }, token)).status, 200);
      const refused = await context.post(path, { ...input, sandbox_id: other }, token);
      assert.equal(refused.status, 403);
      assert.equal((await readHistory(context, { kind, sandboxId: other })).page_meta.total, 0);
    },
  ),
  prove(`${kind.router}: a record in a sandbox that is not there is refused`, async (context) => {
    const input = { sandbox_id: randomUUID(), name: 'x', ...kind.required };
    const { httpStatus } = await expectAdminRefusal(context, `${kind.router}.create`, input);
    assert.equal(httpStatus, 404);
  }),
  prove(`${kind.router}: name is required and never empty`, async (context) => {
    const sandbox_id = await newSandbox(context);
    for (const name of [undefined, '', null, 5]) {
      const input = { sandbox_id, ...kind.required, name };
      await expectAdminRefusal(context, `${kind.router}.create`, input);
    }
  }),
]);

export const adminApiCases = [
  ...GUARDED.map(([procedure, input, wrong]) =>
    prove(`${procedure} needs its permission`, async (context) => {
      const path = `/admin/trpc/${procedure}`;
      for (const permission of wrong) {
        const token = await context.mint({ sub: randomUUID(), permissions: [permission] });
        const error = readAdminError(await context.post(path, input, token));
        assert.equal(error.error_code, 'insufficient_permissions', permission);
        assert.equal(error.httpStatus, 403);
      }
    }),
  ),
  prove('a call without a credential is 403 auth_missing, never 401', async (context) => {
    for (const [procedure, input] of GUARDED) {
      const path = `/admin/trpc/${procedure}`;
      const answer = await context.postText(path, JSON.stringify(input), {});
      assert.equal(answer.status, 403);
      assert.equal(readAdminError(answer).error_code, 'auth_missing');
    }
  }),
  prove('bad input names every problem', async (context) => {
    const input = { type: '', teams: [{ max_size: 0 }], region_id: '' };
    const { detail = [] } = await expectAdminRefusal(context, 'sessions.create', input);
    const places = detail.map(({ loc }) => loc.join('.')).sort();
    assert.deepEqual(places, ['body.region_id', 'body.teams.0.max_size', 'body.type']);
  }),
  prove('an unknown field is refused with its path, and nothing is written', async (context) => {
    const session = await newSession(context);
    const { type, session_id, etag } = session;
    const input = { type, session_id, expectedEtag: '"another"' };
    const { detail = [], httpStatus } = await expectAdminRefusal(context, 'sessions.end', input);
    assert.equal(httpStatus, 400);
    assert.deepEqual(
      detail.map(({ loc }) => loc.join('.')),
      ['body.expectedEtag'],
    );
    assert.equal((await readSession(context, session)).etag, etag);
  }),
  prove('sessions.end refuses another expected_etag', async (context) => {
    const session = await newSession(context);
    const { type, session_id, etag } = session;
    const stale = { type, session_id, expected_etag: '"another"' };
    const { httpStatus } = await expectAdminRefusal(context, 'sessions.end', stale);
    assert.equal(httpStatus, 409);
    await context.mutate('sessions.end', { ...stale, expected_etag: etag });
  }),
  prove('players.get returns the player that players.register created', async (context) => {
    const player = { player_uuid: randomUUID(), player_id: randomLegacyId(), display_name: 'Ada' };
    await context.mutate('players.register', player);
    const got = await context.query('players.get', { player_uuid: player.player_uuid });
    const { player_uuid, player_id, display_name } = z.looseObject({}).parse(got);
    assert.deepEqual({ player_uuid, player_id, display_name }, player);
  }),
  prove('registering a player again is safe', async (context) => {
    const player = await newPlayer(context);
    await newPlayer(context, { player_uuid: player });
  }),
  prove('a session type of an unknown version rule is refused', async (context) => {
    const input = { type: randomName('t'), version_match: 'newer', default_teams: [] };
    await expectAdminRefusal(context, 'sessionTypes.upsert', input);
  }),
  prove(
    'sessions.get answers unchanged when the ETag is the one that the caller has',
    async (context) => {
      const session = await newSession(context);
      const { type, session_id, etag } = session;
      const key = { type, session_id };
      const same = await context.query('sessions.get', { ...key, if_none_match: etag });
      assert.deepEqual(same, { unchanged: true });
      await changeSession(context, session, 'update', { region_id: 'eu' });
      const other = await context.query('sessions.get', { ...key, if_none_match: etag });
      assert.notDeepEqual(other, { unchanged: true });
    },
  ),
  prove(
    'sessions.update refuses another expected_etag, and takes the right one',
    async (context) => {
      const session = await newSession(context);
      const { type, session_id, etag } = session;
      const change = { type, session_id, region_id: 'eu' };
      const stale = { ...change, expected_etag: '"another"' };
      await expectAdminRefusal(context, 'sessions.update', stale);
      assert.equal((await readSession(context, session)).session.region_id, undefined);
      await context.mutate('sessions.update', { ...change, expected_etag: etag });
      assert.equal((await readSession(context, session)).session.region_id, 'eu');
    },
  ),
  prove('sessions.list walks all sessions of a type by cursor, each once', async (context) => {
    const type = await newSessionType(context, 'patch');
    const made = new Set<string>();
    for (let index = 0; index < 5; index += 1) {
      made.add((await newSession(context, { type })).session_id);
    }
    const seen = await listSessions(context, { type, page_size: 2 });
    assert.equal(seen.length, 5);
    assert.deepEqual(new Set(seen), made);
  }),
  prove('a platform session that was removed is no longer found', async (context) => {
    const [session, player] = await newScene(context);
    await join(context, session, player);
    const { platform, platformSessionId } = session;
    const removed = await changeSession(context, session, 'removePlatformSession', {
      platform,
      platform_session_id_base64: platformSessionId,
    });
    assert.deepEqual(removed.session.platform_session, []);
    const answer = await tryJoin(context, session, player);
    assert.equal(answer.status, 404, answer.text);
  }),
  prove('sessions.events shows that a player joined', async (context) => {
    const [session, player] = await newScene(context);
    await join(context, session, player);
    const { type, session_id } = session;
    const events = JSON.stringify(await context.query('sessions.events', { type, session_id }));
    assert.ok(events.includes(player), events);
  }),
  ...everyKind,
  prove('an Item of an unknown item_type is refused', async (context) => {
    const sandbox_id = await newSandbox(context);
    for (const item_type of ['weapon', 'Unit', '', null, undefined]) {
      await expectAdminRefusal(context, 'items.create', { sandbox_id, name: 'x', item_type });
    }
  }),
];

const listSessions = async (context: Context, input: object): Promise<string[]> => {
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: z.infer<typeof Sessions> = Sessions.parse(
      await context.query('sessions.list', { ...input, ...(cursor && { cursor }) }),
    );
    seen.push(...page.sessions.map(({ session }) => session.session_id));
    cursor = page.page_meta.cursor;
    if (cursor === undefined || seen.length > 100) return seen;
  }
};
