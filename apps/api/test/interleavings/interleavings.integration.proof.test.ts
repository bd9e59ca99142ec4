// Random concurrent commands through three processes. Some order of the commands must explain all responses, without a
// lost or extra seat, and with one state of the session per ETag.
import { randomUUID } from 'node:crypto';
import type { Session } from '@muster/contract';
import { createTestDatabase } from '@muster/database/testing';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import type { RunningDeployment } from '../scaling/deployments.ts';
import { DEPLOYMENTS } from '../scaling/deployments.ts';
import type { Answer, Seen } from './linearize.ts';
import { linearize } from './linearize.ts';
import type { Command } from './session-model.ts';

const SECRET = randomUUID() + randomUUID();
const PLAYERS = Array.from({ length: 5 }, () => randomUUID());
const SESSIONS = 100;

let running: RunningDeployment;
let admins: AdminCaller[];
let tokens: Map<string, string>;

const sign = (sub: string, permission: string): Promise<string> =>
  new SignJWT({ permissions: [permission] })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(sub)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));

const player = fc.constantFrom(...PLAYERS);
const team = fc.constantFrom(0, 1);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('join' as const), player, team }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('invite' as const), player, team }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kick' as const), player }) },
  fc.record({ kind: fc.constant('move' as const), player, team }),
  fc.record({ kind: fc.constant('promote' as const), player }),
  fc.record({ kind: fc.constant('open' as const), joinable: fc.boolean() }),
  fc.record({
    kind: fc.constant('instance' as const),
    to: fc.constantFrom('joinable' as const, 'unjoinable' as const, 'pending' as const),
  }),
);

/** Each command uses one of the processes; a batch is sent at once, the next one when all responses have arrived. */
const sent = fc.record({ command, through: fc.nat(2) });
const scenario = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 2 }),
  batches: fc.array(fc.array(sent, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 5 }),
});

type View = { session: Session; etag: string };

const toSeen = ({ session, etag }: View): Seen => ({
  version: Number(/-(\d+)"$/.exec(etag)?.[1]),
  session,
});

const openSession = async (sizes: readonly number[]) => {
  const platformSessionId = randomUUID();
  const created = await admins[0]!.mutate<View>('sessions.create', {
    type: 'interleaved',
    teams: sizes.map((max_size, team_id) => ({ team_id, max_size })),
    instance: { instance_id: 'i-1', host_type: 'dedicated', join_status: 'joinable' },
    platform_session: [
      {
        platform: 'Steam',
        platform_session_type: 'lobby',
        platform_session_id_base64: platformSessionId,
      },
    ],
  });
  const { type, session_id } = created.data.session;
  return { name: { type, session_id }, platformSessionId, seen: toSeen(created.data) };
};

type Opened = Awaited<ReturnType<typeof openSession>>;

const send = async (opened: Opened, through: number, asked: Command): Promise<Answer> => {
  if (asked.kind === 'join') return { command: asked, ...(await join(opened, through, asked)) };
  const [procedure, input] = toMutation(asked);
  const { data, code } = await admins[through % admins.length]!.mutate<View>(procedure, {
    ...opened.name,
    ...input,
  });
  return code === undefined
    ? { command: asked, seen: toSeen(data) }
    : { command: asked, refused: code };
};

const join = async (
  { platformSessionId }: Opened,
  through: number,
  { player: playerUuid, team: teamId }: Extract<Command, { kind: 'join' }>,
) => {
  const path = `/session/v1/platform/Steam/platform-session/${platformSessionId}/player/${playerUuid}`;
  const response = await fetch(`${running.baseUrls[through % running.baseUrls.length]}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokens.get(playerUuid)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      client_version: '1.0.0',
      team_id: teamId,
      client_settings: { platform: 'Steam', input: 'gamepad' },
    }),
  });
  const body = (await response.json()) as Session & { error_code?: string };
  if (response.status !== 200) return { refused: body.error_code ?? String(response.status) };
  return { seen: toSeen({ session: body, etag: response.headers.get('etag') ?? '' }) };
};

const toMutation = (asked: Exclude<Command, { kind: 'join' }>): [string, object] => {
  switch (asked.kind) {
    case 'invite':
      return [
        'sessions.invitePlayer',
        { player_uuid: asked.player, team_id: asked.team, status: 'invited' },
      ];
    case 'kick':
      return ['sessions.removePlayer', { player_uuid: asked.player }];
    case 'move':
      return ['sessions.movePlayer', { player_uuid: asked.player, team_id: asked.team }];
    case 'promote':
      return ['sessions.promotePlayer', { player_uuid: asked.player }];
    case 'open':
      return ['sessions.update', { joinable: asked.joinable }];
    case 'instance':
      return ['sessions.setInstanceStatus', { join_status: asked.to }];
  }
};

describe.each(DEPLOYMENTS)('$name', ({ start, share }) => {
  let dropDatabase: () => Promise<void>;
  beforeAll(async () => {
    const database = await createTestDatabase();
    dropDatabase = database.drop;
    running = await start({ DATABASE_URL: database.url, AUTH_JWT_SECRET: SECRET });
    const authorization = `Bearer ${await sign('backend', '*')}`;
    admins = running.baseUrls.map((baseUrl) => createAdminCaller(baseUrl, { authorization }));
    tokens = new Map();
    for (const player of PLAYERS)
      tokens.set(player, await sign(player, 'session:update-player:self'));
  }, 300_000);
  afterAll(async () => {
    for (const code of await running.stop()) expect(code).toBe(0);
    await dropDatabase();
  });

  test(`${SESSIONS * share} sessions under random commands lose no seat and assign none twice`, async () => {
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ sizes, batches }) => {
        const opened = await openSession(sizes);
        let { seen } = opened;
        for (const batch of batches) {
          const answers = await Promise.all(
            batch.map(({ command: asked, through }) => send(opened, through, asked)),
          );
          refusals += answers.filter((answer) => 'refused' in answer).length;
          seen = linearize(seen, answers);
          const stored = await admins[0]!.query<View>('sessions.get', opened.name);
          expect(toSeen(stored.data)).toEqual(seen);
        }
      }),
      // Failures depend on timing, so that smaller scenarios need not fail again.
      { numRuns: SESSIONS * share, endOnFailure: true },
    );
    expect(refusals).toBeGreaterThan(SESSIONS * share);
  }, 300_000);
});
