// Two services with wrong clocks are killed at every step of applying, scheduling and reverting a change set: more than 50 runs.
import type { Database } from '@muster/database';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertPerson } from '../../src/auth/person-store.ts';
import type { Catalogue } from '../../src/catalogue/index.ts';
import { createTestCatalogue } from '../../src/catalogue/testing/open-test-catalogue.ts';
import type { Processes } from './change-set-processes.ts';
import { startProcesses } from './change-set-processes.ts';

/** What the service waits for when it is killed, in the order in which a step needs it. `commit`: right after the commit. */
const PLACES = {
  sandbox: 'SELECT 1 FROM sandbox WHERE sandbox_id = $1 FOR UPDATE',
  set: 'SELECT 1 FROM change_set WHERE sandbox_id = $1 FOR UPDATE',
  records: 'SELECT 1 FROM catalogue_record WHERE sandbox_id = $1 FOR UPDATE',
  versions: 'LOCK TABLE catalogue_version IN SHARE MODE',
  feed: 'LOCK TABLE event_outbox IN SHARE MODE',
  audit: 'LOCK TABLE audit_record IN SHARE MODE',
  commit: null,
} as const;
type Place = keyof typeof PLACES;
const ALL_PLACES = Object.keys(PLACES) as Place[];

/** The indexes of the processes. */
const [FIRST, SECOND] = [0, 1];
type Victims = 'one process' | 'both processes';

const ITEMS = 50;
const AUTHORITY = { administers: false, confirmedName: undefined };
const accountId = uuidv7();
const actor = { accountId };

let database: Database;
let drop: () => Promise<void>;
let catalogue: Catalogue;
let processes: Processes;
beforeAll(async () => {
  const created = await createTestDatabase();
  drop = created.drop;
  database = openDatabase({ url: created.url });
  catalogue = createTestCatalogue(database);
  const person = { accountId, name: 'Ada', email: 'ada@muster.example', role: 'editor' as const };
  await insertPerson(database.prisma, {
    ...person,
    mustChangePassword: false,
    passwordHash: 'none',
    now: new Date(),
  });
  processes = await startProcesses(created.url);
});
afterAll(async () => {
  expect(await processes.stop()).toEqual([0, 0]);
  await database.close();
  await drop();
});
beforeEach(() => processes.startAll());

type SetReference = { sandbox_id: string; change_set_id: string };

/** A draft that changes the price of all Items of a new sandbox from 100 to 80. */
const makeSale = async () => {
  const { changeSets, items, sandboxes } = catalogue;
  const { sandbox_id } = await sandboxes.create(actor, { name: 'Live' });
  const creates = Array.from({ length: ITEMS }, (_, index) => ({
    operation: 'create' as const,
    name: `Sword ${index}`,
    item_type: 'unit' as const,
    tags: [],
    custom_data: { price: '100' },
  }));
  const { records } = await items.bulk(actor, { sandbox_id, operations: creates }, AUTHORITY);
  const { change_set_id } = await changeSets.create(actor, { sandbox_id, title: 'Weekend sale' });
  const set = { sandbox_id, change_set_id };
  await changeSets.addOperations(actor, {
    ...set,
    operations: records.map(({ item_id }) => ({
      kind: 'item' as const,
      operation: 'update' as const,
      item_id,
      expected_version: 1,
      custom_data: { price: '80' },
    })),
  });
  return set;
};

const inHours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const readSet = (set: SetReference) => catalogue.changeSets.get(set);
const readState = async (set: SetReference) => (await readSet(set)).state;

/** The members that every change of a set needs. */
const toPlace = async (set: SetReference) => ({
  ...set,
  expected_revision: (await readSet(set)).revision,
});

/** For an hour from now, and its return for two hours. */
const scheduleSale = async () => {
  const set = await makeSale();
  const moments = { apply_at: inHours(1), return_at: inHours(2) };
  await catalogue.changeSets.schedule(actor, { ...(await toPlace(set)), ...moments }, AUTHORITY);
  return set;
};

const makeDue = (set: SetReference) =>
  database.pool.query(
    `UPDATE change_set SET next_step_at = now() + interval '1 second' WHERE change_set_id = $1`,
    [set.change_set_id],
  );

type Kill = {
  place: Place;
  sandbox_id: string;
  victims: Victims;
  /** Starts what is killed, if it does not start by itself. The killed process does not answer. */
  begin?: () => Promise<unknown>;
  /** Whether it has committed. */
  isDone: () => Promise<boolean>;
};

/** Kills the first process, or both, at the place. The other process waits until then. */
const killAt = async ({ place, sandbox_id, victims, begin, isDone }: Kill): Promise<void> => {
  const isAlone = victims === 'one process';
  if (isAlone) processes.freeze(SECOND);
  const lock = PLACES[place];
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    if (lock) await client.query(lock, lock.includes('$1') ? [sandbox_id] : []);
    const begun = begin?.().catch(() => {});
    const isWaiting = async () =>
      (await database.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length > 0;
    await expect
      .poll(lock ? isWaiting : isDone, { interval: 5, message: `waits for ${place}` })
      .toBe(true);
    await processes.kill(FIRST);
    if (!isAlone) await processes.kill(SECOND);
    await begun;
    await client.query('ROLLBACK');
  } finally {
    client.release();
    if (isAlone) processes.thaw(SECOND);
  }
  if (!isAlone) await processes.startAll();
};

const expectState = (set: SetReference, expected: string) =>
  expect.poll(() => readState(set), { timeout: 60_000 }).toBe(expected);

const listPrices = async ({ sandbox_id }: SetReference) => {
  const page = { sandbox_id, include_deleted: false, page_size: 200 };
  const { records } = await catalogue.items.list(page);
  return [
    ...new Set(records.map(({ custom_data, version }) => `${custom_data?.price} v${version}`)),
  ];
};

/** The Items were created and then edited this often, and the chain is whole. */
const expectEdits = async ({ sandbox_id }: SetReference, count: number) => {
  const { edits } = await catalogue.edits.list(sandbox_id, null, 10);
  expect(edits).toHaveLength(1 + count);
  const check = await catalogue.verification.check(sandbox_id, 0, 5_000);
  expect(check).toMatchObject({ done: true, checked_to_seq: (1 + count) * ITEMS });
  expect(check).not.toHaveProperty('broken');
};

const VICTIMS: readonly Victims[] = ['one process', 'both processes'];

describe.each(VICTIMS)('%s killed', (victims) => {
  test.each(ALL_PLACES)(
    'at %s: a scheduled set is applied once, and reverted once',
    async (place) => {
      const set = await scheduleSale();
      const killStep = async (expected: string) => {
        await makeDue(set);
        const isDone = async () => (await readState(set)) === expected;
        await killAt({ ...set, place, victims, isDone });
        await expectState(set, expected);
        await processes.startAll();
      };
      await killStep('applied');
      expect(await listPrices(set)).toEqual(['80 v2']);
      await killStep('reverted');
      expect(await listPrices(set)).toEqual(['100 v3']);
      await expectEdits(set, 2);
    },
  );
});

describe('a call that is repeated at the other process after a kill', () => {
  /** Kills the first process, and repeats the call at the second one. */
  const callTwice = async (
    place: Place,
    set: SetReference,
    isDone: () => Promise<boolean>,
    call: (index: number) => Promise<{ status: number }>,
  ) => {
    const begin = () => call(FIRST);
    await killAt({ ...set, place, victims: 'one process', begin, isDone });
    await expect.poll(async () => (await call(SECOND)).status, { timeout: 20_000 }).toBe(200);
  };

  test.each(ALL_PLACES)('at %s: a set is applied once', async (place) => {
    const set = await makeSale();
    const input = await toPlace(set);
    const isDone = async () => (await readState(set)) === 'applied';
    await callTwice(place, set, isDone, (index) =>
      processes.mutate(index, 'changeSets.apply', input),
    );
    expect(await listPrices(set)).toEqual(['80 v2']);
    await expectEdits(set, 1);
  });

  test.each(['set', 'audit', 'commit'] as const)(
    'at %s: a set is scheduled, and then applied once',
    async (place) => {
      const set = await makeSale();
      const isDone = async () => (await readState(set)) === 'scheduled';
      await callTwice(place, set, isDone, async (index) => {
        const moments = { apply_at: inHours(1), return_at: inHours(2) };
        const input = { ...(await toPlace(set)), ...moments };
        return processes.mutate(index, 'changeSets.schedule', input);
      });
      expect(await listPrices(set)).toEqual(['100 v1']);
      await makeDue(set);
      await expectState(set, 'applied');
      expect(await listPrices(set)).toEqual(['80 v2']);
      await expectEdits(set, 1);
    },
  );

  test.each(ALL_PLACES)('at %s: an applied set is reverted once', async (place) => {
    const set = await makeSale();
    await catalogue.changeSets.apply(actor, await toPlace(set), AUTHORITY);
    const undo = await catalogue.changeSets.revert(actor, set);
    const input = await toPlace({ ...set, change_set_id: undo.change_set_id });
    const isDone = async () => (await readState(set)) === 'reverted';
    await callTwice(place, set, isDone, (index) =>
      processes.mutate(index, 'changeSets.apply', input),
    );
    expect(await listPrices(set)).toEqual(['100 v3']);
    expect(await readState(set)).toBe('reverted');
    await expectEdits(set, 2);
  });
});

describe('after a downtime', () => {
  /** Both processes are down while the moments pass. */
  const pass = async (set: SetReference, members: string) => {
    await processes.kill(FIRST);
    await processes.kill(SECOND);
    await database.pool.query(`UPDATE change_set SET ${members} WHERE change_set_id = $1`, [
      set.change_set_id,
    ]);
    await processes.startAll();
  };
  const ago = (minutes: number) => `now() - interval '${minutes} minutes'`;

  test.each([
    ['10 minutes', 10, 120, 'applied', '80 v2', 1],
    ['20 minutes', 20, 120, 'failed', '100 v1', 0],
  ] as const)('of %s, the start of a sale is done in time or not at all', async (...facts) => {
    const [, late, returnIn, state, price, edits] = facts;
    const set = await scheduleSale();
    const returnAt = `now() + interval '${returnIn} minutes'`;
    const members = `apply_at = ${ago(late)}, next_step_at = ${ago(late)}, return_at = ${returnAt}`;
    await pass(set, members);
    await expectState(set, state);
    expect(await listPrices(set)).toEqual([price]);
    await expectEdits(set, edits);
  });

  test.each([1, 10, 60])(
    'across both moments, the later one %i minutes ago, nothing runs',
    async (late) => {
      const set = await scheduleSale();
      const applyAt = ago(late + 5);
      await pass(set, `apply_at = ${applyAt}, next_step_at = ${applyAt}, return_at = ${ago(late)}`);
      await expectState(set, 'failed');
      expect(await listPrices(set)).toEqual(['100 v1']);
      await expectEdits(set, 0);
    },
  );

  test.each([
    ['10 minutes', 10, 'reverted', '100 v3', 2],
    ['20 minutes', 20, 'applied', '80 v2', 1],
  ] as const)('of %s, the end of a sale is done in time or not at all', async (...facts) => {
    const [, late, state, price, edits] = facts;
    const set = await scheduleSale();
    await makeDue(set);
    await expectState(set, 'applied');
    await pass(set, `next_step_at = ${ago(late)}, return_at = ${ago(late)}`);
    await expectState(set, state);
    const isSettled = async () => (await readSet(set)).schedule?.next_step === undefined;
    await expect.poll(isSettled).toBe(true);
    expect(await listPrices(set)).toEqual([price]);
    await expectEdits(set, edits);
  });
});
