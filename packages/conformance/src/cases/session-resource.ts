import assert from 'node:assert/strict';
import { creationTimesOf, expectSession } from '../checks.ts';
import {
  join,
  newPlayer,
  randomName,
  randomPlatformSessionId,
  tryJoin,
} from '../fixtures/joins.ts';
import {
  changeSession,
  instanceInput,
  keyOf,
  newScene,
  newSession,
  newSessionType,
  sessionType,
} from '../fixtures/sessions.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Session resource');

const CREATED = '2026-03-14T09:26:53.589Z';

/** Every field of the resource that a backend sets, each with every field of its own. */
const FULL = {
  joinable: true,
  region_id: 'eu-central',
  created: CREATED,
  created_by_matchmaking: true,
  custom_data: { mode: 'ctf' },
  browser: { custom_data: { title: 'mine' } },
  match: { match_id: 'm-1', created: CREATED, custom_data: { a: 'b' }, ticket_ids: ['t-1'] },
  matchmaking: { ticket_id: 't-2', custom_data: { a: 'b' }, queue_id: 'ranked' },
  matchmaking_results: {
    match_making_id: 'mm-1',
    created: CREATED,
    custom_data: { a: 'b' },
    ticket_ids: ['t-3', 't-4'],
    tickets_assigned: false,
  },
  backfill: { backfill_id: 'b-1', extensions: { a: 'b' } },
  instance: {
    allocation_id: 'alloc-1',
    instance_id: 'instance-1',
    host_type: 'player',
    host_player_id: 12,
    host_player_uuid: '0a1b2c3d-0000-0000-0000-00000000abcd',
    host_dedicated_process_id: 'p-1',
    host_dedicated_server_id: 's-1',
    join_status: 'joinable',
    join_params: {
      public_conn_str: '203.0.113.5:7777',
      private_conn_str: '10.0.0.5:7777',
      custom_data: { a: 'b' },
    },
    instance_startup_params: {
      map: 'arena',
      mode: 'ctf',
      misc_params: '-log',
      custom_data: { a: 'b' },
    },
    version: '1.2.3',
    created: CREATED,
    custom_data: { a: 'b' },
    instance_health: 'healthy',
    match_making_profile_id: 'profile-1',
    match_id: 'm-1',
  },
};

const TEAMS = [
  { team_id: 0, max_size: 100, ticket_ids: ['t-1', 't-2'], custom_data: { colour: 'red' } },
  { team_id: 1, max_size: 1 },
];

const fullSession = async (context: Parameters<typeof newSession>[0]) =>
  newSession(context, {
    ...FULL,
    teams: TEAMS,
    platform_session: [
      {
        platform: 'PSN',
        platform_session_type: 'lobby',
        platform_session_id_base64: randomPlatformSessionId(),
        custom_data: { a: 'b' },
      },
    ],
  });

const OPTIONAL = [
  'instance',
  'match',
  'matchmaking_results',
  'matchmaking',
  'backfill',
  'browser',
  'custom_data',
  'region_id',
] as const;

export const sessionResourceCases = [
  ...Object.entries(FULL).map(([field, value]) =>
    prove(`a join answers ${field} as it was set, with every field of it`, async (context) => {
      const session = await fullSession(context);
      const answer = await tryJoin(context, session, await newPlayer(context));
      expectSession(answer);
      assert.deepEqual((answer.body as Record<string, unknown>)[field], value);
    }),
  ),
  prove('a join answers teams with their tickets and custom_data', async (context) => {
    const session = await fullSession(context);
    const joined = await join(context, session, await newPlayer(context));
    assert.deepEqual(
      joined.teams.map(({ players: _, ...team }) => team),
      TEAMS,
    );
    assert.deepEqual(joined.teams[1]?.players, [], 'players of an empty team are []');
  }),
  prove(
    'a join answers platform sessions, whose players are always present and []',
    async (context) => {
      const session = await fullSession(context);
      const answer = await tryJoin(context, session, await newPlayer(context));
      expectSession(answer);
      const { platform_session } = answer.body as { platform_session: unknown };
      assert.deepEqual(platform_session, [
        {
          platform: 'PSN',
          platform_session_type: 'lobby',
          platform_session_id_base64: session.platformSessionId,
          players: [],
          custom_data: { a: 'b' },
        },
      ]);
    },
  ),
  prove(
    'optional fields that were never set are absent, not null and not empty',
    async (context) => {
      const session = await newSession(context);
      const answer = await tryJoin(context, session, await newPlayer(context));
      expectSession(answer);
      for (const field of OPTIONAL) {
        assert.equal(field in (answer.body as object), false, `${field} is present`);
      }
      const { teams, platform_session } = answer.body as Record<
        'teams' | 'platform_session',
        object[]
      >;
      for (const part of [...teams, ...platform_session])
        assert.equal('custom_data' in part, false);
    },
  ),
  prove('created is filled in everywhere when absent, as RFC 3339 UTC', async (context) => {
    const session = await newSession(context, {
      instance: instanceInput(),
      match: { match_id: 'm' },
      matchmaking_results: { match_making_id: 'mm' },
    });
    const joined = await join(context, session, await newPlayer(context));
    for (const value of creationTimesOf(joined)) {
      assert.match(value ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      assert.ok(Math.abs(Date.parse(value ?? '') - Date.now()) < 120_000, value);
    }
  }),
  prove('ticket_ids of match and matchmaking_results default to []', async (context) => {
    const session = await newSession(context, {
      match: { match_id: 'm' },
      matchmaking_results: { match_making_id: 'mm' },
    });
    const answer = await tryJoin(context, session, await newPlayer(context));
    expectSession(answer);
    const body = answer.body as Record<string, { ticket_ids?: unknown }>;
    assert.deepEqual(body.match?.ticket_ids, []);
    assert.deepEqual(body.matchmaking_results?.ticket_ids, []);
  }),
  prove('joinable defaults to true and is always present', async (context) => {
    const session = await newSession(context);
    const joined = await join(context, session, await newPlayer(context));
    assert.equal(joined.joinable, true);
  }),
  prove('null clears what is optional', async (context) => {
    const session = await fullSession(context);
    const player = await newPlayer(context);
    await join(context, session, player);
    const fields = OPTIONAL.filter((field) => field !== 'instance');
    const cleared = Object.fromEntries(fields.map((field) => [field, null]));
    await changeSession(context, session, 'update', cleared);
    const answer = await tryJoin(context, session, player);
    expectSession(answer);
    for (const field of fields) assert.equal(field in (answer.body as object), false, field);
  }),
  prove('session_id is unique within its type, and free in another', async (context) => {
    const session_id = randomName('session');
    const [one, other] = [await sessionType(context), await newSessionType(context, 'none')];
    const first = await newSession(context, { type: one, session_id });
    const second = await newSession(context, { type: other, session_id });
    const player = await newPlayer(context);
    assert.equal((await join(context, first, player)).type, one);
    assert.equal((await join(context, second, player)).type, other);
    const again = { type: one, session_id, teams: [{ max_size: 1 }] };
    const refused = await context.tryMutation('sessions.create', again);
    assert.ok(refused.status >= 400 && refused.status < 500, `status ${refused.status}`);
  }),
  prove("absent teams take the type's default teams", async (context) => {
    const teams = [
      { team_id: 3, max_size: 2 },
      { team_id: 5, max_size: 7 },
    ];
    const type = await newSessionType(context, 'patch', teams);
    const [session, player] = await newScene(context, { type, teams: undefined });
    const joined = await join(context, session, player, { body: { team_id: 5 } });
    assert.deepEqual(
      joined.teams.map(({ team_id, max_size }) => ({ team_id, max_size })),
      teams,
    );
  }),
  prove('an absent team_id is the place of the team in the list, from 0', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 1 }, { max_size: 2 }] });
    const joined = await join(context, session, await newPlayer(context));
    assert.deepEqual(
      joined.teams.map((team) => team.team_id),
      [0, 1],
    );
  }),
  prove('max_size is never set below the seats of the team', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 4 }] });
    await join(context, session, await newPlayer(context));
    await join(context, session, await newPlayer(context));
    const key = keyOf(session);
    const tooSmall = { ...key, teams: [{ team_id: 0, max_size: 1 }] };
    const refused = await context.tryMutation('sessions.update', tooSmall);
    assert.ok(refused.status >= 400 && refused.status < 500, `status ${refused.status}`);
    const fits = await changeSession(context, session, 'update', {
      teams: [{ team_id: 0, max_size: 2 }],
    });
    assert.equal(fits.session.teams[0]?.players.length, 2);
  }),
];
