import { randomUUID } from 'node:crypto';
import { expectProblem, expectProblems, expectRefusal, expectUnauthenticated } from '../checks.ts';
import {
  ANY_PREFERENCES,
  join,
  joinBody,
  joinPath,
  newPlayer,
  playerToken,
  randomPlatformSessionId,
  tryJoin,
  trySelfJoin,
} from '../fixtures/joins.ts';
import { instanceInput, keyOf, newScene, newSession } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Order of checks on a join');

const nowhere = () => ({ platform: 'Steam', platformSessionId: randomPlatformSessionId() });

const XBOX_ONLY = { ...ANY_PREFERENCES, permitted_platform: 'desired_platforms_xboxlike' };

/** A body that breaks the rules about team, version and crossplay, unless `fields` correct them. */
const worstBody = (fields: Record<string, unknown> = {}) => ({
  team_id: 99,
  client_version: '9.9.9',
  crossplay_preferences: XBOX_ONLY,
  ...fields,
});

/** A session with one seat, taken by a player on PSN, of an instance with a version. */
const crowdedSession = async (
  context: Context,
  fields: Record<string, unknown>,
  status: string,
) => {
  const open = { teams: [{ max_size: 1 }] };
  const instance = instanceInput({ version: '1.2.3' });
  const session = await newSession(context, { ...open, instance });
  const body = { client_settings: { platform: 'PSN', input: 'gamepad' } };
  await join(context, session, await newPlayer(context), { body });
  const key = keyOf(session);
  await context.mutate('sessions.update', { ...key, ...fields });
  if (status !== 'joinable') {
    const next = { ...instance, instance_id: randomUUID(), join_status: status };
    await context.mutate('sessions.setInstance', { ...key, instance: next });
  }
  return session;
};

const RULE_ORDER = [
  ['unknown team → instance closed', 'closed', false, {}, undefined],
  ['instance closed → not joinable', 'closed', false, { team_id: 0 }, [409, 'instance_closed']],
  [
    'instance unjoinable → not joinable',
    'unjoinable',
    false,
    { team_id: 0 },
    [409, 'instance_unjoinable'],
  ],
  ['not joinable → version', 'joinable', false, { team_id: 0 }, [403, 'session_not_joinable']],
  ['version → crossplay', 'joinable', true, { team_id: 0 }, [403, 'version_incompatible']],
  [
    'crossplay → capacity',
    'joinable',
    true,
    { team_id: 0, client_version: '1.2.3' },
    [403, 'crossplay_incompatible'],
  ],
] as const;

export const joinOrderCases = [
  prove('the credential is checked before the shape of the request', async (context) => {
    const path = `/session/v1/platform/Nowhere/platform-session/a/player/me`;
    expectUnauthenticated(await context.postText(path, '{', {}), 'auth_missing');
  }),
  prove(
    'the shape of the request is checked before the permission for that player',
    async (context) => {
      const token = await playerToken(context, randomUUID());
      const path = joinPath(nowhere(), randomUUID());
      expectProblems(await context.post(path, { client_version: 'x' }, token));
    },
  ),
  prove('the shape is checked before the want of any permission', async (context) => {
    const token = await context.mint({ sub: randomUUID(), permissions: [] });
    const path = joinPath(nowhere(), randomUUID());
    expectProblems(await context.post(path, {}, token));
  }),
  prove(
    'the permission for that player is checked before the platform session',
    async (context) => {
      const token = await playerToken(context, randomUUID());
      const answer = await tryJoin(context, nowhere(), randomUUID(), { token });
      expectRefusal(answer, 403, 'insufficient_permissions');
    },
  ),
  prove(
    'a self-join as invited is refused before the platform session is looked for',
    async (context) => {
      const answer = await trySelfJoin(context, nowhere(), randomUUID(), {
        body: { status: 'invited' },
      });
      expectRefusal(answer, 403, 'insufficient_permissions');
    },
  ),
  prove('an unknown platform session is 404 platform_session_not_found', async (context) => {
    const answer = await tryJoin(context, nowhere(), await newPlayer(context));
    expectRefusal(answer, 404, 'platform_session_not_found');
  }),
  prove('the platform session is looked for before the player', async (context) => {
    const answer = await tryJoin(context, nowhere(), randomUUID());
    expectRefusal(answer, 404, 'platform_session_not_found');
  }),
  prove('the player is looked for before the session rules', async (context) => {
    const instance = instanceInput({ join_status: 'closed' });
    const session = await newSession(context, { joinable: false, instance });
    const answer = await tryJoin(context, session, randomUUID(), { body: worstBody() });
    expectRefusal(answer, 404, 'player_not_found');
  }),
  ...RULE_ORDER.map(([title, status, joinable, fields, refusal]) =>
    prove(title, async (context) => {
      const session = await crowdedSession(context, { joinable }, status);
      const player = await newPlayer(context);
      const answer = await tryJoin(context, session, player, { body: worstBody(fields) });
      if (refusal) expectRefusal(answer, refusal[0], refusal[1]);
      else expectProblem(answer, 'body.team_id');
    }),
  ),
  prove('capacity is the last rule', async (context) => {
    const session = await crowdedSession(context, {}, 'joinable');
    const answer = await tryJoin(context, session, await newPlayer(context));
    expectRefusal(answer, 409, 'session_full');
  }),
  prove('an unknown team is a 422 for a seated player too', async (context) => {
    const [session, player] = await newScene(context);
    await join(context, session, player);
    const answer = await context.post(joinPath(session, player), joinBody({ team_id: 99 }));
    expectProblem(answer, 'body.team_id');
  }),
];
