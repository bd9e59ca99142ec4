import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import {
  expectRefusal,
  expectSession,
  expectUnauthenticated,
  findSeat,
  seatOf,
} from '../checks.ts';
import { ANY_PREFERENCES, join, newPlayer, newPlayers, tryJoin } from '../fixtures/joins.ts';
import type { SessionFixture } from '../fixtures/sessions.ts';
import { changeSession, keyOf, newScene, newSession } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';
import type { Answer } from '../target/send-request.ts';

const prove = inSection('Crossplay');

type Client = {
  platform?: string;
  input?: string;
  platforms?: string;
  inputs?: string;
};

/** The body of a client whose unstated preferences are "any". */
const bodyOf = ({ platform = 'Steam', input = 'gamepad', platforms, inputs }: Client) => ({
  client_settings: { platform, input },
  ...((platforms || inputs) && {
    crossplay_preferences: {
      permitted_platform: `desired_platforms_${platforms ?? 'any'}`,
      permitted_input: `desired_inputs_${inputs ?? 'any'}`,
    },
  }),
});

const joinAs = async (
  context: Context,
  session: SessionFixture,
  client: Client,
  player?: string,
): Promise<Answer> =>
  tryJoin(context, session, player ?? (await newPlayer(context)), { body: bodyOf(client) });

const XBOX_ONLY: Client = { platform: 'XboxLive', platforms: 'xboxlike' };
const PLAYSTATION_ONLY: Client = { platform: 'PSN', platforms: 'playstationlike' };

/** Whether a joiner and a player who is seated already go together; checked in both orders. */
const PAIRS: readonly (readonly [string, Client, Client, boolean])[] = [
  ['xboxlike permits XboxLive', XBOX_ONLY, { platform: 'XboxLive' }, true],
  ['xboxlike forbids PSN', XBOX_ONLY, { platform: 'PSN' }, false],
  ['xboxlike forbids Steam', XBOX_ONLY, { platform: 'Steam' }, false],
  ['xboxlike forbids Anon', XBOX_ONLY, { platform: 'Anon' }, false],
  ['playstationlike permits PSN', PLAYSTATION_ONLY, { platform: 'PSN' }, true],
  ['playstationlike forbids XboxLive', PLAYSTATION_ONLY, { platform: 'XboxLive' }, false],
  [
    'playstationlike forbids NintendoSwitch',
    PLAYSTATION_ONLY,
    { platform: 'NintendoSwitch' },
    false,
  ],
  [
    'any permits every platform',
    { platform: 'PSN', platforms: 'any' },
    { platform: 'XboxLive' },
    true,
  ],
  [
    'absent preferences permit everything',
    { platform: 'PSN', input: 'touch' },
    { platform: 'XboxLive', input: 'gamepad' },
    true,
  ],
  ['gamepad permits gamepad', { inputs: 'gamepad' }, { input: 'gamepad' }, true],
  ['gamepad forbids keyboardandmouse', { inputs: 'gamepad' }, { input: 'keyboardandmouse' }, false],
  ['gamepad forbids touch', { inputs: 'gamepad' }, { input: 'touch' }, false],
  [
    'keyboardandmouse permits keyboardandmouse',
    { input: 'touch', inputs: 'keyboardandmouse' },
    { input: 'keyboardandmouse' },
    true,
  ],
  [
    'keyboardandmouse forbids gamepad',
    { input: 'keyboardandmouse', inputs: 'keyboardandmouse' },
    { input: 'gamepad' },
    false,
  ],
  ['touch permits touch', { inputs: 'touch' }, { input: 'touch' }, true],
  [
    'touch forbids keyboardandmouse',
    { input: 'touch', inputs: 'touch' },
    { input: 'keyboardandmouse' },
    false,
  ],
  [
    'both preferences hold: the platform permits, the input forbids',
    { platform: 'PSN', platforms: 'playstationlike', inputs: 'touch' },
    { platform: 'PSN', input: 'gamepad' },
    false,
  ],
  [
    'a preference is about the other player, not about oneself',
    { platform: 'Steam', platforms: 'xboxlike' },
    { platform: 'XboxLive' },
    true,
  ],
];

const everyPair = PAIRS.flatMap(([sentence, one, other, permitted]) =>
  (
    [
      ['preference of the joiner', other, one],
      ['preference of the seated player', one, other],
    ] as const
  ).map(([whose, seated, joiner]) =>
    prove(`${sentence} (${whose})`, async (context) => {
      const session = await newSession(context);
      expectSession(await joinAs(context, session, seated));
      const answer = await joinAs(context, session, joiner);
      if (permitted) expectSession(answer);
      else expectRefusal(answer, 403, 'crossplay_incompatible');
    }),
  ),
);

const Events = z.object({
  events: z.array(
    z.looseObject({
      kind: z.string(),
      player_uuid: z.string().optional(),
      detail: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
});

/** The refusal of a player in the timeline of a session. The service records it shortly after its response. */
const findRefusal = async (context: Context, session: SessionFixture, player: string) => {
  for (;;) {
    const { events } = Events.parse(await context.query('sessions.events', keyOf(session)));
    const refusal = events.find(
      ({ kind, player_uuid }) => kind === 'join_refused' && player_uuid === player,
    );
    if (refusal) return refusal;
    await delay(100, undefined, { signal: context.signal });
  }
};

export const joinCrossplayCases = [
  ...everyPair,
  prove(
    'crossplay is checked against every seated player, not the leader only',
    async (context) => {
      const session = await newSession(context);
      for (const platform of ['PSN', 'PSN', 'XboxLive']) {
        expectSession(await joinAs(context, session, { platform }));
      }
      const answer = await joinAs(context, session, PLAYSTATION_ONLY);
      expectRefusal(answer, 403, 'crossplay_incompatible');
    },
  ),
  prove('crossplay is checked against the players of the other teams', async (context) => {
    const [session, player] = await newScene(context);
    const body = { ...bodyOf({ platform: 'XboxLive' }), team_id: 1 };
    await join(context, session, player, { body });
    const answer = await joinAs(context, session, PLAYSTATION_ONLY);
    expectRefusal(answer, 403, 'crossplay_incompatible');
  }),
  ...['invited', 'reserved'].map((status) =>
    prove(`a seat held as ${status} counts with what it was made with`, async (context) => {
      const session = await newSession(context);
      const held = await newPlayer(context);
      const body = { ...bodyOf(XBOX_ONLY), status };
      await join(context, session, held, { body });
      const refused = await joinAs(context, session, PLAYSTATION_ONLY);
      expectRefusal(refused, 403, 'crossplay_incompatible');
      expectSession(await joinAs(context, session, { platform: 'XboxLive' }));
      expectSession(await joinAs(context, session, XBOX_ONLY, held));
    }),
  ),
  prove('a held seat is checked when its player arrives', async (context) => {
    const [session, player] = await newScene(context);
    const held = { player_uuid: player, team_id: 0, status: 'invited' };
    await changeSession(context, session, 'invitePlayer', held);
    expectSession(await joinAs(context, session, PLAYSTATION_ONLY));
    const answer = await joinAs(context, session, { platform: 'XboxLive' }, player);
    expectRefusal(answer, 403, 'crossplay_incompatible');
  }),
  prove('a seated player who joins again does not skip crossplay', async (context) => {
    const [session, player] = await newScene(context);
    expectSession(await joinAs(context, session, { platform: 'Steam' }, player));
    expectSession(await joinAs(context, session, { platform: 'Epic' }));
    const changed = { platform: 'Steam', platforms: 'xboxlike' };
    expectRefusal(await joinAs(context, session, changed, player), 403, 'crossplay_incompatible');
  }),
  prove("a player's own old seat does not block the join", async (context) => {
    const [session, player] = await newScene(context);
    expectSession(await joinAs(context, session, PLAYSTATION_ONLY, player));
    expectSession(await joinAs(context, session, XBOX_ONLY, player));
  }),
  prove('the platform is the one that platform_id resolves to', async (context) => {
    const session = await newSession(context);
    const [seated, joiner] = await newPlayers(context, 2);
    const byId = { client_settings: { platform_id: 10, input: 'gamepad' } };
    await join(context, session, seated, { body: byId });
    expectSession(await joinAs(context, session, { platforms: 'xboxlike' }));
    const answer = await joinAs(context, session, { platforms: 'playstationlike' }, joiner);
    expectRefusal(answer, 403, 'crossplay_incompatible');
  }),
  prove("the token's platform claim counts, not what the body says", async (context) => {
    const session = await newSession(context);
    const [seated, liar] = await newPlayers(context, 2);
    expectSession(await joinAs(context, session, PLAYSTATION_ONLY, seated));
    const claims = { permissions: ['session:update-player:self'], platform: 'Steam' };
    const token = await context.mint({ sub: liar, ...claims });
    const body = bodyOf({ platform: 'PSN' });
    const answer = await tryJoin(context, session, liar, { token, body });
    expectRefusal(answer, 403, 'crossplay_incompatible');
  }),
  prove('a platform claim that names no platform leaves nothing to the body', async (context) => {
    const session = await newSession(context);
    const [seated, liar] = await newPlayers(context, 2);
    expectSession(await joinAs(context, session, PLAYSTATION_ONLY, seated));
    const claims = { permissions: ['session:update-player:self'], platform: 'steam' };
    const token = await context.mint({ sub: liar, ...claims });
    const body = bodyOf({ platform: 'PSN' });
    const answer = await tryJoin(context, session, liar, { token, body });
    expectUnauthenticated(answer, 'auth_token_invalid_claim');
    const now = await join(context, session, seated, { body: bodyOf(PLAYSTATION_ONLY) });
    assert.equal(findSeat(now, liar), undefined);
  }),
  prove('desc names which preference, and never another player', async (context) => {
    const session = await newSession(context);
    const seated = await newPlayer(context);
    expectSession(await joinAs(context, session, { platform: 'XboxLive' }, seated));
    for (const [client, preference] of [
      [{ platforms: 'playstationlike' }, 'permitted_platform'],
      [{ inputs: 'touch' }, 'permitted_input'],
    ] as const) {
      const answer = await joinAs(context, session, client);
      const { desc } = expectRefusal(answer, 403, 'crossplay_incompatible');
      assert.ok(desc.includes(preference), desc);
      assert.ok(!answer.text.includes(seated), desc);
    }
  }),
  prove('sessions.events names the seated player behind a refusal', async (context) => {
    const session = await newSession(context);
    const [seated, joiner] = await newPlayers(context, 2);
    const picky = { platform: 'Steam', platforms: 'playstationlike', inputs: 'touch' };
    expectSession(await joinAs(context, session, picky, seated));
    const answer = await joinAs(context, session, {}, joiner);
    expectRefusal(answer, 403, 'crossplay_incompatible');
    assert.ok(!answer.text.includes(seated), answer.text);
    const { detail } = await findRefusal(context, session, joiner);
    assert.equal(detail.error_code, 'crossplay_incompatible');
    assert.equal(detail.other_player_uuid, seated);
  }),
  prove('permissive preferences are kept as stated', async (context) => {
    const [session, player] = await newScene(context);
    const answer = await joinAs(context, session, { platforms: 'any', inputs: 'any' }, player);
    const { crossplay_preferences } = seatOf(expectSession(answer), player);
    assert.deepEqual(crossplay_preferences, ANY_PREFERENCES);
  }),
];
