import assert from 'node:assert/strict';
import { expectProblem, expectProblems, expectSession, seatOf } from '../checks.ts';
import { joinBody, joinPath, newPlayer } from '../fixtures/joins.ts';
import { newScene, newSession } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';
import type { Answer } from '../target/send-request.ts';

const prove = inSection('Values');

/** Sends JSON text as it is, for values that JSON.stringify would not write. */
const joinWithText = async (
  context: Context,
  field: string,
  json: string,
): Promise<[Answer, string]> => {
  const [session, player] = await newScene(context);
  const { [field]: _, ...rest } = joinBody();
  const body = JSON.stringify(rest).replace(/\}$/, `,"${field}":${json}}`);
  return [await context.postText(joinPath(session, player), body), player];
};

const keeps = async (context: Context, json: string, custom_data: object): Promise<void> => {
  const [answer, player] = await joinWithText(context, 'custom_data', json);
  assert.deepEqual(seatOf(expectSession(answer), player).custom_data, custom_data);
};

const UNSTORABLE = [
  ['U+0000', '\\u0000'],
  ['a lone high surrogate', '\\ud800'],
  ['a lone low surrogate', '\\udc00'],
  ['surrogates in the wrong order', '\\udc00\\ud800'],
] as const;

export const valueCases = [
  ...UNSTORABLE.flatMap(([name, escaped]) => [
    prove(`${name} in a value is a 422`, async (context) => {
      const [answer] = await joinWithText(context, 'custom_data', `{"key":"a${escaped}b"}`);
      expectProblem(answer, 'body.custom_data.key');
    }),
    prove(`${name} in a key is a 422`, async (context) => {
      const [answer] = await joinWithText(context, 'custom_data', `{"a${escaped}":"v"}`);
      expectProblems(answer);
    }),
  ]),
  prove('every other character is stored and answered as it was sent', async (context) => {
    const text = '\u0001\t\n"\\\u007f é ß ﬁ 𝄞 👩‍👩‍👧 \u202e \ufffd \uffff ڠ';
    const custom_data = { [text]: text };
    await keeps(context, JSON.stringify(custom_data), custom_data);
  }),
  prove('a surrogate pair written as two escapes is one character', async (context) => {
    await keeps(context, '{"k":"\\ud834\\udd1e"}', { k: '𝄞' });
  }),
  prove('text is not normalised: two spellings of é stay two keys', async (context) => {
    const custom_data = { '\u00e9': 'one', 'e\u0301': 'two' };
    await keeps(context, JSON.stringify(custom_data), custom_data);
  }),
  prove('null for an optional member of a join is its absence', async (context) => {
    const [session, player] = await newScene(context);
    const path = joinPath(session, player);
    const first = await context.post(path, joinBody());
    const settings = { platform: 'Steam', input: 'gamepad', platform_id: null };
    const nulls = { status: null, crossplay_preferences: null, custom_data: null };
    const again = await context.post(path, joinBody({ ...nulls, client_settings: settings }));
    assert.deepEqual(expectSession(again), expectSession(first));
    assert.equal(again.headers.etag, first.headers.etag);
  }),
  prove('null for a required member of a join is a 422 at its place', async (context) => {
    const path = joinPath(await newSession(context), await newPlayer(context));
    for (const name of ['client_version', 'client_settings', 'team_id']) {
      expectProblem(await context.post(path, joinBody({ [name]: null })), `body.${name}`);
    }
    const settings = { client_settings: { platform: 'Steam', input: null } };
    expectProblem(await context.post(path, joinBody(settings)), 'body.client_settings.input');
    const entry = { custom_data: { key: null } };
    expectProblem(await context.post(path, joinBody(entry)), 'body.custom_data.key');
  }),
  prove('a team has no negative number', async (context) => {
    expectProblem((await joinWithText(context, 'team_id', '-1'))[0], 'body.team_id');
  }),
  prove('integers are safe integers: 2^53 is a 422', async (context) => {
    for (const json of ['9007199254740992', '-9007199254740992', '1e400', '1e30']) {
      const [answer] = await joinWithText(context, 'team_id', json);
      expectProblem(answer, 'body.team_id');
    }
  }),
  prove('an integer may be written as 0.0 or 0e0 in JSON', async (context) => {
    for (const json of ['0.0', '0e0', '-0']) {
      expectSession((await joinWithText(context, 'team_id', json))[0]);
    }
  }),
];
