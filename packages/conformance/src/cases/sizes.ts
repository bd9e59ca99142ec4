import assert from 'node:assert/strict';
import { expectAdminRefusal, expectProblem, expectSession, seatOf } from '../checks.ts';
import {
  ASTRAL,
  join,
  joinBody,
  joinPath,
  newPlayer,
  newPlayers,
  tryJoin,
} from '../fixtures/joins.ts';
import { changeSession, keyOf, newSession, readSession } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Sizes in bytes');

const MAX_MAP_BYTES = 20 * 1_024;
const MAX_SESSION_BYTES = 256 * 1_024;
const TOO_LARGE = 'value_error.session_too_large';

/** Five values of 4,096 bytes would fill a map: the five keys leave that much less for the last one. */
const mapOfBytes = (bytes: number, character = 'x'): Record<string, string> => {
  const value = character.repeat(4_096 / Buffer.byteLength(character));
  const map: Record<string, string> = { a: value, b: value, c: value, d: value };
  return { ...map, e: 'x'.repeat(bytes - 4 * 4_096 - 5) };
};

/** A session with two teams of 20, and players with a seat each until one more does not fit; gives the last answer. */
const fillSession = async (context: Context) => {
  const teams = [{ max_size: 20 }, { max_size: 20 }];
  const session = await newSession(context, { teams });
  const body = { custom_data: mapOfBytes(MAX_MAP_BYTES) };
  for (const player of await newPlayers(context, 14)) {
    const answer = await tryJoin(context, session, player, { body });
    if (answer.status !== 200) return { session, answer, body };
    assert.ok(Buffer.byteLength(JSON.stringify(expectSession(answer))) <= MAX_SESSION_BYTES);
  }
  throw new assert.AssertionError({ message: '14 maps of 20 KiB exceed 256 KiB' });
};

export const sizeCases = [
  prove('a map holds 20 KiB of UTF-8, keys and values together', async (context) => {
    const session = await newSession(context, { custom_data: mapOfBytes(MAX_MAP_BYTES) });
    for (const character of ['x', ASTRAL]) {
      const custom_data = mapOfBytes(MAX_MAP_BYTES, character);
      await join(context, session, await newPlayer(context), { body: { custom_data } });
    }
  }),
  prove('20 KiB fit into a body in which every character is escaped', async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context);
    const custom_data = mapOfBytes(MAX_MAP_BYTES);
    const escaped = Object.entries(custom_data).map(
      ([key, value]) => `"${key}":"${value.replaceAll('x', '\\u0078')}"`,
    );
    const rest = JSON.stringify(joinBody()).slice(1);
    const body = `{"custom_data":{${escaped}},${rest}`;
    const joined = expectSession(await context.postText(joinPath(session, player), body));
    assert.deepEqual(seatOf(joined, player).custom_data, custom_data);
  }),
  prove('a map of one byte more is a 422 at its place', async (context) => {
    const session = await newSession(context);
    for (const character of ['x', ASTRAL]) {
      const body = { custom_data: mapOfBytes(MAX_MAP_BYTES + 1, character) };
      const answer = await tryJoin(context, session, await newPlayer(context), { body });
      expectProblem(answer, 'body.custom_data', 'value_error.map.max_bytes');
    }
  }),
  prove('a session holds twelve players with 20 KiB each', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 12 }] });
    const body = { custom_data: mapOfBytes(MAX_MAP_BYTES) };
    for (const player of await newPlayers(context, 12)) {
      await join(context, session, player, { body });
    }
  }),
  prove('a join that makes a session larger than 256 KiB is a 422', async (context) => {
    const { answer } = await fillSession(context);
    expectProblem(answer, 'body.custom_data', TOO_LARGE);
  }),
  prove('what is refused for its size changes nothing', async (context) => {
    const { session, body } = await fillSession(context);
    const before = await readSession(context, session);
    expectProblem(
      await tryJoin(context, session, await newPlayer(context), { body }),
      'body.custom_data',
      TOO_LARGE,
    );
    assert.deepEqual(await readSession(context, session), before);
  }),
  prove('a full session still takes a join that fits, and can be closed', async (context) => {
    const { session } = await fillSession(context);
    await join(context, session, await newPlayer(context));
    await changeSession(context, session, 'end');
  }),
  prove(
    'an admin change that makes a session too large is a 422 where it grew',
    async (context) => {
      const { session } = await fillSession(context);
      const input = { ...keyOf(session), custom_data: mapOfBytes(MAX_MAP_BYTES) };
      const { httpStatus, detail } = await expectAdminRefusal(context, 'sessions.update', input);
      assert.equal(httpStatus, 422);
      assert.deepEqual(
        detail?.map(({ loc }) => loc),
        [['body', 'custom_data']],
      );
    },
  ),
];
