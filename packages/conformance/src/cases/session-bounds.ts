import assert from 'node:assert/strict';
import { expectAdminRefusal } from '../checks.ts';
import { ASTRAL, join, newPlayer, randomName, randomPlatformSessionId } from '../fixtures/joins.ts';
import { instanceInput, newSession, sessionType } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Session resource: bounds');

const platformSession = (fields: Record<string, unknown>) => ({
  platform_session: [
    {
      platform: 'Steam',
      platform_session_type: 'lobby',
      platform_session_id_base64: randomPlatformSessionId(),
      ...fields,
    },
  ],
});

const startup = (fields: Record<string, unknown>) => ({
  instance: instanceInput({ instance_startup_params: { map: 'm', misc_params: '', ...fields } }),
});

const connection = (fields: Record<string, unknown>) => ({
  instance: instanceInput({
    join_params: { public_conn_str: 'a', private_conn_str: 'b', ...fields },
  }),
});

/** Where each bounded string stands; `place` makes the fields of a session that holds it. */
const SHORT_IDS: readonly (readonly [string, (value: string) => Record<string, unknown>])[] = [
  ['region_id', (region_id) => ({ region_id })],
  ['allocation_id', (allocation_id) => ({ instance: instanceInput({ allocation_id }) })],
  ['instance_id', (instance_id) => ({ instance: instanceInput({ instance_id }) })],
  [
    'match_making_profile_id',
    (match_making_profile_id) => ({ instance: instanceInput({ match_making_profile_id }) }),
  ],
  ['queue_id', (queue_id) => ({ matchmaking: { ticket_id: 't', queue_id } })],
  ['platform_session_type', (platform_session_type) => platformSession({ platform_session_type })],
];

type StringMap = Record<string, string>;
const MAPS: readonly (readonly [string, (custom_data: StringMap) => Record<string, unknown>])[] = [
  ['session custom_data', (custom_data) => ({ custom_data })],
  ['browser custom_data', (custom_data) => ({ browser: { custom_data } })],
  ['match custom_data', (custom_data) => ({ match: { match_id: 'm', custom_data } })],
  [
    'matchmaking_results custom_data',
    (custom_data) => ({ matchmaking_results: { match_making_id: 'm', custom_data } }),
  ],
  ['matchmaking custom_data', (custom_data) => ({ matchmaking: { ticket_id: 't', custom_data } })],
  ['backfill extensions', (extensions) => ({ backfill: { backfill_id: 'b', extensions } })],
  ['team custom_data', (custom_data) => ({ teams: [{ max_size: 1, custom_data }] })],
  ['platform session custom_data', (custom_data) => platformSession({ custom_data })],
  ['instance custom_data', (custom_data) => ({ instance: instanceInput({ custom_data }) })],
  ['join_params custom_data', (custom_data) => connection({ custom_data })],
  ['instance_startup_params custom_data', (custom_data) => startup({ custom_data })],
];

const takes = async (context: Context, fields: Record<string, unknown>): Promise<void> => {
  const session = await newSession(context, fields);
  const joined = JSON.stringify(await join(context, session, await newPlayer(context)));
  for (const text of JSON.stringify(fields).match(/[x𝄞]{100,}/gu) ?? []) {
    assert.ok(joined.includes(text), 'the long value is answered whole');
  }
};

const refuses = async (context: Context, fields: Record<string, unknown>): Promise<void> => {
  const type = await sessionType(context);
  const input = { type, session_id: randomName('session'), teams: [{ max_size: 1 }], ...fields };
  await expectAdminRefusal(context, 'sessions.create', input);
};

const REQUIRED_PARTS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['instance.instance_id', { instance: { ...instanceInput(), instance_id: undefined } }],
  ['instance.host_type', { instance: { ...instanceInput(), host_type: undefined } }],
  ['instance.join_status', { instance: { ...instanceInput(), join_status: undefined } }],
  ['join_params.public_conn_str', connection({ public_conn_str: undefined })],
  ['join_params.private_conn_str', connection({ private_conn_str: undefined })],
  ['instance_startup_params.map', startup({ map: undefined })],
  ['instance_startup_params.misc_params', startup({ misc_params: undefined })],
  ['match.match_id', { match: {} }],
  ['matchmaking_results.match_making_id', { matchmaking_results: {} }],
  ['matchmaking.ticket_id', { matchmaking: {} }],
  ['backfill.backfill_id', { backfill: {} }],
  ['team.max_size', { teams: [{ team_id: 0 }] }],
];

export const sessionBoundCases = [
  ...SHORT_IDS.map(([name, place]) =>
    prove(`${name} has 1 to 128 characters`, async (context) => {
      for (const value of ['x', 'x'.repeat(128), ASTRAL.repeat(128)]) {
        await takes(context, place(value));
      }
      for (const value of ['', 'x'.repeat(129), ASTRAL.repeat(129)]) {
        await refuses(context, place(value));
      }
    }),
  ),
  prove('session_id has 1 to 128 characters', async (context) => {
    const start = randomName('s');
    await takes(context, { session_id: start.padEnd(128, 'x') });
    await takes(context, { session_id: `${start}${ASTRAL.repeat(128 - start.length)}` });
    await refuses(context, { session_id: '' });
    await refuses(context, { session_id: start.padEnd(129, 'x') });
    await refuses(context, { session_id: `${start}${ASTRAL.repeat(129 - start.length)}` });
  }),
  prove('source_session_id has 1 to 128 characters', async (context) => {
    const session = await newSession(context);
    const player_uuid = await newPlayer(context);
    const { type, session_id } = session;
    const invite = { type, session_id, player_uuid, team_id: 0, status: 'invited' };
    for (const source_session_id of ['', 'x'.repeat(129)]) {
      const input = { ...invite, source_session_id };
      await expectAdminRefusal(context, 'sessions.invitePlayer', input);
    }
    const source_session_id = 'x'.repeat(128);
    await context.mutate('sessions.invitePlayer', { ...invite, source_session_id });
    const joined = await join(context, session, player_uuid);
    assert.equal(joined.teams[0]?.players[0]?.source_session_id, source_session_id);
  }),
  prove('backfill_id has at least 1 character', async (context) => {
    await takes(context, { backfill: { backfill_id: 'x' } });
    await refuses(context, { backfill: { backfill_id: '' } });
  }),
  prove('max_size is 1 to 100', async (context) => {
    for (const max_size of [1, 100]) await takes(context, { teams: [{ max_size }] });
    for (const max_size of [0, 101, -1, 1.5]) await refuses(context, { teams: [{ max_size }] });
  }),
  ...MAPS.map(([name, place]) =>
    prove(
      `${name}: values of 1 to 4096 characters, keys of 1 to 128, 64 entries`,
      async (context) => {
        const entries = (count: number): StringMap =>
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
        await takes(context, place({ a: 'x', b: 'x'.repeat(4096) }));
        await takes(context, place({ c: ASTRAL.repeat(4096) }));
        await takes(context, place({ ['x'.repeat(128)]: 'v' }));
        await takes(context, place(entries(64)));
        for (const map of [
          { a: '' },
          { a: 'x'.repeat(4097) },
          { a: ASTRAL.repeat(4097) },
          { '': 'v' },
          { ['x'.repeat(129)]: 'v' },
          entries(65),
        ]) {
          await refuses(context, place(map));
        }
      },
    ),
  ),
  ...REQUIRED_PARTS.map(([name, fields]) =>
    prove(`${name} is required`, (context) => refuses(context, fields)),
  ),
  prove('an instance version is SemVer 2.0.0', async (context) => {
    await takes(context, { instance: instanceInput({ version: '1.2.3-rc.1+b' }) });
    for (const version of ['1.2', 'v1.2.3', '']) {
      await refuses(context, { instance: instanceInput({ version }) });
    }
  }),
  prove('host_player_id is an integer and host_player_uuid a UUID', async (context) => {
    for (const wrong of [
      { host_player_id: 1.5 },
      { host_player_id: '1' },
      { host_player_uuid: 'x' },
    ]) {
      await refuses(context, { instance: instanceInput(wrong) });
    }
  }),
  prove('U+0000 and lone surrogates are refused in every string', async (context) => {
    for (const bad of ['a\u0000b', '\ud800', 'a\udc00']) {
      await refuses(context, { region_id: bad });
      await refuses(context, { session_id: bad });
      await refuses(context, { custom_data: { key: bad } });
      await refuses(context, { custom_data: { [bad]: 'value' } });
      await refuses(context, { match: { match_id: bad } });
      await refuses(context, connection({ public_conn_str: bad }));
    }
  }),
];
