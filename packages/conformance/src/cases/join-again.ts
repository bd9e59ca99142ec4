import assert from 'node:assert/strict';
import { expectSession, seatOf } from '../checks.ts';
import { ANY_PREFERENCES, newPlayers, tryJoin, trySelfJoin } from '../fixtures/joins.ts';
import { newScene, newSession } from '../fixtures/sessions.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Joining again');

const FULL = {
  client_version: '1.2.3',
  client_settings: { platform: 'Steam', input: 'gamepad' },
  team_id: 0,
  crossplay_preferences: ANY_PREFERENCES,
  custom_data: { skin: 'red', hat: 'blue' },
};

/** What a second join may change, each by itself. */
const CHANGES: readonly (readonly [string, Record<string, unknown>])[] = [
  ['client_version', { client_version: '1.2.4' }],
  ['input', { client_settings: { platform: 'Steam', input: 'touch' } }],
  ['platform', { client_settings: { platform: 'Epic', input: 'gamepad' } }],
  ['team_id', { team_id: 1 }],
  ['a value of custom_data', { custom_data: { skin: 'green', hat: 'blue' } }],
  ['a key of custom_data', { custom_data: { skin: 'red', cap: 'blue' } }],
  [
    'crossplay_preferences',
    { crossplay_preferences: { ...ANY_PREFERENCES, permitted_input: 'desired_inputs_gamepad' } },
  ],
];

export const joinAgainCases = [
  prove(
    'the same team and data again is 200 with the same ETag and the same bytes',
    async (context) => {
      const [session, player] = await newScene(context);
      const first = await tryJoin(context, session, player, { body: FULL });
      expectSession(first);
      for (let times = 0; times < 3; times += 1) {
        const again = await tryJoin(context, session, player, { body: FULL });
        expectSession(again);
        assert.equal(again.headers.etag, first.headers.etag);
        assert.equal(again.text, first.text);
      }
    },
  ),
  prove(
    'the same again by the player after a join by another caller changes nothing',
    async (context) => {
      const [session, player] = await newScene(context);
      const first = await tryJoin(context, session, player, { body: FULL });
      const again = await trySelfJoin(context, session, player, { body: FULL });
      expectSession(again);
      assert.equal(again.headers.etag, first.headers.etag);
    },
  ),
  prove('the order of custom_data keys is no change', async (context) => {
    const [session, player] = await newScene(context);
    const first = await tryJoin(context, session, player, { body: FULL });
    const custom_data = { hat: 'blue', skin: 'red' };
    const again = await tryJoin(context, session, player, { body: { ...FULL, custom_data } });
    expectSession(again);
    assert.equal(again.headers.etag, first.headers.etag);
    assert.equal(again.text, first.text);
  }),
  ...CHANGES.map(([what, change]) =>
    prove(`another ${what} updates the seat and gives a new ETag`, async (context) => {
      const [session, player] = await newScene(context);
      const first = await tryJoin(context, session, player, { body: FULL });
      const changed = await tryJoin(context, session, player, { body: { ...FULL, ...change } });
      const [before, after] = [expectSession(first), expectSession(changed)];
      assert.notEqual(changed.headers.etag, first.headers.etag);
      assert.notDeepEqual(after, before);
      assert.equal(seatOf(after, player).joined, seatOf(before, player).joined);
      const back = await tryJoin(context, session, player, { body: FULL });
      assert.deepEqual(seatOf(expectSession(back), player), seatOf(before, player));
    }),
  ),
  ...(['custom_data', 'crossplay_preferences'] as const).flatMap((field) => [
    prove(`an absent ${field} stays in a join on behalf of a seated player`, async (context) => {
      const [session, player] = await newScene(context);
      const first = await tryJoin(context, session, player, { body: FULL });
      const { [field]: _, ...body } = FULL;
      for (const left of [body, { ...body, [field]: null }]) {
        const again = await tryJoin(context, session, player, { body: left });
        assert.deepEqual(expectSession(again), expectSession(first));
        assert.equal(again.headers.etag, first.headers.etag);
      }
    }),
    prove(`an absent ${field} of a self-join clears it`, async (context) => {
      const [session, player] = await newScene(context);
      const first = await trySelfJoin(context, session, player, { body: FULL });
      assert.ok(seatOf(expectSession(first), player)[field]);
      const { [field]: _, ...body } = FULL;
      const cleared = await trySelfJoin(context, session, player, { body });
      assert.equal(field in seatOf(expectSession(cleared), player), false);
      assert.notEqual(cleared.headers.etag, first.headers.etag);
    }),
  ]),
  prove('joined keeps its first value however often the player joins', async (context) => {
    const [session, player] = await newScene(context);
    const first = await tryJoin(context, session, player);
    const { joined } = seatOf(expectSession(first), player);
    for (const value of ['a', 'b', 'c']) {
      const body = { custom_data: { value } };
      const again = await tryJoin(context, session, player, { body });
      assert.equal(seatOf(expectSession(again), player).joined, joined);
    }
  }),
  prove('a wish for leader that changes nothing keeps the ETag', async (context) => {
    const [session, player] = await newScene(context);
    const first = await tryJoin(context, session, player);
    const again = await tryJoin(context, session, player, { body: { status: 'leader' } });
    assert.equal(again.headers.etag, first.headers.etag);
  }),
  prove("another player's join gives a new ETag", async (context) => {
    const session = await newSession(context);
    const [first, second] = await newPlayers(context, 2);
    const one = await tryJoin(context, session, first);
    const two = await tryJoin(context, session, second);
    assert.notEqual(two.headers.etag, one.headers.etag);
  }),
];
