import assert from 'node:assert/strict';
import { expectProblem, seatOf } from '../checks.ts';
import { join, newPlayer, randomPlatformSessionId, tryJoin } from '../fixtures/joins.ts';
import { newScene, newSession } from '../fixtures/sessions.ts';
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

/** The seat shows this platform, for these settings and this claim of the token. */
const stores = (title: string, settings: object, platform: string, claim?: { platform: string }) =>
  prove(title, async (context) => {
    const [session, player] = await newScene(context);
    const claims = { sub: player, permissions: ['*'], ...claim };
    const body = { client_settings: { ...settings, input: 'gamepad' } };
    const options = { body, ...(claim && { token: await context.mint(claims) }) };
    const joined = await join(context, session, player, options);
    assert.equal(seatOf(joined, player).client_settings?.platform, platform);
  });

/** Each of the settings is refused at this place of them. */
const refuses = (title: string, place: string, all: readonly object[]) =>
  prove(title, async (context) => {
    const [session, player] = await newScene(context);
    for (const settings of all) {
      const body = { client_settings: { ...settings, input: 'gamepad' } };
      const answer = await tryJoin(context, session, player, { body });
      expectProblem(answer, `body.client_settings.${place}`);
    }
  });

/** Integers between and around the known ones. */
const UNKNOWN_IDS = [0, 1, 3, 6, 7, 8, 12, 14, 15, 17, 18, 19, 20, 21, 23, 25, 27, 29, -5, 1000];

export const platformCases = [
  ...everyPlatform,
  ...PLATFORM_IDS.map(([platform_id, platform]) =>
    stores(`platform_id ${platform_id} means ${platform}`, { platform_id }, platform),
  ),
  refuses(
    'an unknown platform_id without platform is a 422',
    'platform_id',
    UNKNOWN_IDS.map((platform_id) => ({ platform_id })),
  ),
  stores(
    'platform wins when both platform and platform_id are given',
    { platform: 'PSN', platform_id: 5 },
    'PSN',
  ),
  stores(
    'platform_id is ignored when platform is given, even an unknown one',
    { platform: 'Epic', platform_id: 9999 },
    'Epic',
  ),
  refuses('neither platform nor platform_id is a 422', 'platform', [{}]),
  prove('a name outside of the enumeration is a 422 in the path', async (context) => {
    const [session, player] = await newScene(context);
    for (const platform of ['Nintendo', 'steam', 'STEAM', 'platform_03', '5']) {
      expectProblem(await tryJoin(context, { ...session, platform }, player), 'path.platform');
    }
  }),
  refuses(
    'a name outside of the enumeration is a 422 in client settings',
    'platform',
    ['Nintendo', 'steam', '', 5].map((platform) => ({ platform })),
  ),
  prove(
    "the path's platform only names the platform session and may differ from the client's",
    async (context) => {
      const [session, player] = await newScene(context);
      const body = { client_settings: { platform: 'XboxLive', input: 'gamepad' } };
      const joined = await join(context, session, player, { body });
      assert.equal(joined.platform_session[0]?.platform, 'Steam');
      assert.equal(seatOf(joined, player).client_settings?.platform, 'XboxLive');
    },
  ),
  stores(
    "the seat stores the token's platform claim before the body's",
    { platform: 'Steam' },
    'Apple',
    { platform: 'Apple' },
  ),
  stores(
    "the seat stores the token's platform claim before platform_id's",
    { platform_id: 9 },
    'Twitch',
    { platform: 'Twitch' },
  ),
];
