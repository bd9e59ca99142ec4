import assert from 'node:assert/strict';
import { expectProblem, seatOf } from '../checks.ts';
import { join, newPlayer, randomPlatformSessionId, tryJoin } from '../fixtures/joins.ts';
import { newSession } from '../fixtures/sessions.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Platforms');

const PLATFORMS = [
  'Anon',
  'Basic',
  'XboxLive',
  'PSN',
  'NintendoNAID',
  'NintendoSwitch',
  'NintendoPPID',
  'Google',
  'GooglePlay',
  'Apple',
  'Epic',
  'Steam',
  'Amazon',
  'Twitch',
  'Muster',
  'LegacyName',
] as const;

const PLATFORM_IDS = [
  [2, 'Anon'],
  [4, 'Amazon'],
  [5, 'Steam'],
  [9, 'PSN'],
  [10, 'XboxLive'],
  [11, 'Basic'],
  [13, 'Google'],
  [16, 'Twitch'],
  [22, 'NintendoSwitch'],
  [24, 'Apple'],
  [26, 'NintendoNAID'],
  [28, 'Epic'],
] as const;

const everyPlatform = PLATFORMS.map((platform) =>
  prove(
    `${platform} is a platform: in the path, in client settings and in responses`,
    async (context) => {
      const platform_session_id_base64 = randomPlatformSessionId();
      const session = await newSession(context, {
        platform_session: [
          { platform, platform_session_type: 'lobby', platform_session_id_base64 },
        ],
      });
      const player = await newPlayer(context);
      const body = { client_settings: { platform, input: 'touch' } };
      const joined = await join(context, session, player, { body });
      assert.equal(joined.platform_session[0]?.platform, platform);
      assert.equal(seatOf(joined, player).client_settings?.platform, platform);
    },
  ),
);

const everyPlatformId = PLATFORM_IDS.map(([platform_id, platform]) =>
  prove(`platform_id ${platform_id} means ${platform}`, async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context);
    const body = { client_settings: { platform_id, input: 'gamepad' } };
    const joined = await join(context, session, player, { body });
    assert.equal(seatOf(joined, player).client_settings?.platform, platform);
  }),
);

/** Integers between and around the known ones. */
const UNKNOWN_IDS = [0, 1, 3, 6, 7, 8, 12, 14, 15, 17, 18, 19, 20, 21, 23, 25, 27, 29, -5, 1000];

export const platformCases = [
  ...everyPlatform,
  ...everyPlatformId,
  prove('an unknown platform_id without platform is a 422', async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context);
    for (const platform_id of UNKNOWN_IDS) {
      const body = { client_settings: { platform_id, input: 'gamepad' } };
      const answer = await tryJoin(context, session, player, { body });
      expectProblem(answer, 'body.client_settings.platform_id');
    }
  }),
  prove('platform wins when both platform and platform_id are given', async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context);
    const body = { client_settings: { platform: 'PSN', platform_id: 5, input: 'gamepad' } };
    const joined = await join(context, session, player, { body });
    assert.equal(seatOf(joined, player).client_settings?.platform, 'PSN');
  }),
  prove('platform_id is ignored when platform is given, even an unknown one', async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context);
    const body = { client_settings: { platform: 'Epic', platform_id: 9999, input: 'gamepad' } };
    const joined = await join(context, session, player, { body });
    assert.equal(seatOf(joined, player).client_settings?.platform, 'Epic');
  }),
  prove('neither platform nor platform_id is a 422', async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context);
    const body = { client_settings: { input: 'gamepad' } };
    const answer = await tryJoin(context, session, player, { body });
    expectProblem(answer, 'body.client_settings.platform');
  }),
  prove('a name outside of the enumeration is a 422 in the path', async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context);
    for (const platform of ['Nintendo', 'steam', 'STEAM', 'platform_03', '5']) {
      expectProblem(await tryJoin(context, { ...session, platform }, player), 'path.platform');
    }
  }),
  prove('a name outside of the enumeration is a 422 in client settings', async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context);
    for (const platform of ['Nintendo', 'steam', '', 5]) {
      const body = { client_settings: { platform, input: 'gamepad' } };
      const answer = await tryJoin(context, session, player, { body });
      expectProblem(answer, 'body.client_settings.platform');
    }
  }),
  prove(
    "the path's platform only names the platform session and may differ from the client's",
    async (context) => {
      const session = await newSession(context);
      const player = await newPlayer(context);
      const body = { client_settings: { platform: 'XboxLive', input: 'gamepad' } };
      const joined = await join(context, session, player, { body });
      assert.equal(joined.platform_session[0]?.platform, 'Steam');
      assert.equal(seatOf(joined, player).client_settings?.platform, 'XboxLive');
    },
  ),
  prove("the seat stores the token's platform claim before the body's", async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context);
    const token = await context.mint({ sub: player, permissions: ['*'], platform: 'Apple' });
    const body = { client_settings: { platform: 'Steam', input: 'gamepad' } };
    const joined = await join(context, session, player, { body, token });
    assert.equal(seatOf(joined, player).client_settings?.platform, 'Apple');
  }),
  prove("the seat stores the token's platform claim before platform_id's", async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context);
    const token = await context.mint({ sub: player, permissions: ['*'], platform: 'Twitch' });
    const body = { client_settings: { platform_id: 9, input: 'gamepad' } };
    const joined = await join(context, session, player, { body, token });
    assert.equal(seatOf(joined, player).client_settings?.platform, 'Twitch');
  }),
];
