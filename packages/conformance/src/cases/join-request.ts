import assert from 'node:assert/strict';
import {
  expectProblem,
  expectProblems,
  expectProblemsAt,
  expectSession,
  seatOf,
  statusOf,
} from '../checks.ts';
import {
  ANY_PREFERENCES,
  ASTRAL,
  join,
  joinBody,
  joinPath,
  newPlayer,
  tryJoin,
} from '../fixtures/joins.ts';
import { newScene } from '../fixtures/sessions.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Join request body');

/** Each body is refused at the place. */
const refuses = (title: string, place: string, values: readonly unknown[], type?: string) =>
  prove(title, async (context) => {
    const [session, player] = await newScene(context);
    const path = place.split('.').slice(1);
    for (const value of values) {
      const answer = await context.post(joinPath(session, player), withValue(path, value));
      expectProblem(answer, place, type);
    }
  });

const withValue = (path: readonly string[], value: unknown): Record<string, unknown> => {
  const body = structuredClone(joinBody());
  const [first = '', second] = path;
  if (second === undefined) return { ...body, [first]: value };
  return { ...body, [first]: { ...(body[first] as object | undefined), [second]: value } };
};

const PERMITTED = [
  ['permitted_platform', 'desired_platforms_any'],
  ['permitted_platform', 'desired_platforms_xboxlike'],
  ['permitted_platform', 'desired_platforms_playstationlike'],
  ['permitted_input', 'desired_inputs_any'],
  ['permitted_input', 'desired_inputs_keyboardandmouse'],
  ['permitted_input', 'desired_inputs_gamepad'],
  ['permitted_input', 'desired_inputs_touch'],
] as const;

export const joinRequestCases = [
  ...['client_version', 'client_settings', 'team_id'].map((field) =>
    prove(`${field} is required`, async (context) => {
      const [session, player] = await newScene(context);
      const { [field]: _, ...body } = joinBody();
      const answer = await context.post(joinPath(session, player), body);
      expectProblem(answer, `body.${field}`, 'value_error.missing');
    }),
  ),
  prove('client_settings.input is required', async (context) => {
    const [session, player] = await newScene(context);
    const body = { client_settings: { platform: 'Steam' } };
    const answer = await tryJoin(context, session, player, { body });
    expectProblem(answer, 'body.client_settings.input', 'value_error.missing');
  }),
  prove(
    'status, crossplay_preferences, custom_data and player_id are optional',
    async (context) => {
      const [session, player] = await newScene(context);
      assert.deepEqual(Object.keys(joinBody()).sort(), [
        'client_settings',
        'client_version',
        'team_id',
      ]);
      await join(context, session, player);
    },
  ),
  ...['keyboardandmouse', 'gamepad', 'touch'].map((input) =>
    prove(`input may be ${input}, and the seat shows it`, async (context) => {
      const [session, player] = await newScene(context);
      const body = { client_settings: { platform: 'Steam', input } };
      const joined = await join(context, session, player, { body });
      assert.equal(seatOf(joined, player).client_settings?.input, input);
    }),
  ),
  refuses('any other input is a 422', 'body.client_settings.input', ['mouse', 'Gamepad', '', 1]),
  ...['leader', 'member', 'invited', 'reserved'].map((status) =>
    prove(`status may be ${status}`, async (context) => {
      const [session, player] = await newScene(context);
      await join(context, session, await newPlayer(context));
      const joined = await join(context, session, player, { body: { status } });
      assert.equal(statusOf(joined, player), status);
    }),
  ),
  refuses('any other status is a 422', 'body.status', ['owner', 'Leader', '', 1, {}]),
  ...PERMITTED.map(([field, value]) =>
    prove(`${field} may be ${value}`, async (context) => {
      const [session, player] = await newScene(context);
      const crossplay_preferences = { ...ANY_PREFERENCES, [field]: value };
      const joined = await join(context, session, player, { body: { crossplay_preferences } });
      assert.deepEqual(seatOf(joined, player).crossplay_preferences, crossplay_preferences);
    }),
  ),
  prove('any other crossplay preference is a 422', async (context) => {
    const [session, player] = await newScene(context);
    const crossplay_preferences = { permitted_platform: 'any', permitted_input: 'gamepad' };
    const answer = await tryJoin(context, session, player, { body: { crossplay_preferences } });
    const places = ['permitted_platform', 'permitted_input'];
    expectProblemsAt(
      answer,
      places.map((field) => `body.crossplay_preferences.${field}`),
    );
  }),
  prove('crossplay preferences need both of their fields', async (context) => {
    const [session, player] = await newScene(context);
    for (const missing of ['permitted_platform', 'permitted_input'] as const) {
      const { [missing]: _, ...crossplay_preferences } = ANY_PREFERENCES;
      const answer = await tryJoin(context, session, player, { body: { crossplay_preferences } });
      expectProblem(answer, `body.crossplay_preferences.${missing}`, 'value_error.missing');
    }
  }),
  refuses(
    'team_id that is no integer is a 422',
    'body.team_id',
    ['0', 1.5, true, [], null],
    'type_error.integer',
  ),
  refuses('client_settings that is no object is a 422', 'body.client_settings', [
    'Steam',
    1,
    [],
    null,
  ]),
  refuses('custom_data that is no object is a 422', 'body.custom_data', ['a', 1, ['a']]),
  refuses(
    'a custom_data value that is no string is a 422',
    'body.custom_data.key',
    [1, true, {}, null],
    'type_error.str',
  ),
  refuses(
    'a custom_data value of no character is a 422',
    'body.custom_data.key',
    [''],
    'value_error.any_str.min_length',
  ),
  refuses(
    'a custom_data value of 4097 characters is a 422',
    'body.custom_data.key',
    ['x'.repeat(4097), ASTRAL.repeat(4097)],
    'value_error.any_str.max_length',
  ),
  prove(
    'custom_data values of 1 and of 4096 characters are taken and answered',
    async (context) => {
      const [session, player] = await newScene(context);
      const custom_data = { a: 'x', b: 'y', c: ASTRAL.repeat(4096) };
      const joined = await join(context, session, player, { body: { custom_data } });
      assert.deepEqual(seatOf(joined, player).custom_data, custom_data);
    },
  ),
  prove('custom_data keys have 1 to 128 characters', async (context) => {
    const [session, player] = await newScene(context);
    const custom_data = { k: 'v', ['k'.repeat(128)]: 'v', [ASTRAL.repeat(128)]: 'v' };
    const joined = await join(context, session, player, { body: { custom_data } });
    assert.deepEqual(seatOf(joined, player).custom_data, custom_data);
    for (const key of ['', 'k'.repeat(129), ASTRAL.repeat(129)]) {
      const body = { custom_data: { [key]: 'v' } };
      expectProblems(await tryJoin(context, session, player, { body }));
    }
  }),
  prove('custom_data has at most 64 entries', async (context) => {
    const [session, player] = await newScene(context);
    const entries = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'v']));
    const body = { custom_data: entries(64) };
    const joined = await join(context, session, player, { body });
    assert.deepEqual(seatOf(joined, player).custom_data, body.custom_data);
    const refused = await tryJoin(context, session, player, { body: { custom_data: entries(65) } });
    expectProblem(refused, 'body.custom_data');
  }),
  prove('custom_data takes keys that JavaScript gives a meaning', async (context) => {
    const [session, player] = await newScene(context);
    const text = JSON.stringify(joinBody()).replace(
      /\}$/,
      ',"custom_data":{"constructor":"a","toString":"b"}}',
    );
    const answer = await context.post(joinPath(session, player), JSON.parse(text));
    const { custom_data } = seatOf(expectSession(answer), player);
    assert.deepEqual(custom_data, { constructor: 'a', toString: 'b' });
  }),
  prove(
    'no custom_data entry is lost without a word, not even one named __proto__',
    async (context) => {
      const [session, player] = await newScene(context);
      const text = JSON.stringify(joinBody({ custom_data: { before: 'a' } }));
      const body = text.replace('"before"', '"__proto__":"kept","before"');
      const answer = await context.postText(joinPath(session, player), body);
      if (answer.status === 200) assert.match(answer.text, /"__proto__":"kept"/);
      else expectProblems(answer);
    },
  ),
  prove('unknown body fields are ignored', async (context) => {
    const [session, player] = await newScene(context);
    const joined = await join(context, session, player, {
      body: { colour: 'red', client_settings: { platform: 'Steam', input: 'touch', dpi: 800 } },
    });
    assert.equal('colour' in seatOf(joined, player), false);
  }),
  prove('a body that is no object is a 422', async (context) => {
    const [session, player] = await newScene(context);
    for (const body of [[], 'text', 1, true, null]) {
      expectProblems(await context.post(joinPath(session, player), body));
    }
  }),
  prove('every problem of the request is listed, not the first only', async (context) => {
    const answer = await context.post(
      '/session/v1/platform/Nowhere/platform-session/abc/player/me?player_id=x',
      {
        status: 'owner',
        client_version: '1',
        client_settings: { platform: 'Nowhere' },
        custom_data: { key: '' },
      },
    );
    expectProblemsAt(answer, [
      'path.platform',
      'path.player_uuid',
      'query.player_id',
      'body.status',
      'body.client_version',
      'body.client_settings.platform',
      'body.client_settings.input',
      'body.custom_data.key',
      'body.team_id',
    ]);
  }),
];
