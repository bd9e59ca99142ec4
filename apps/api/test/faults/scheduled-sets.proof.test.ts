// The service is killed at every step of a scheduled change set. SCHEDULE_KILLS sets the number of kills.
import type { Database } from '@muster/database';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertPerson } from '../../src/auth/person-store.ts';
import type { Catalogue } from '../../src/catalogue/index.ts';
import { createCatalogue } from '../../src/catalogue/index.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { SECRET } from './test-bed.ts';

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

const KILLS = Number(process.env.SCHEDULE_KILLS ?? 14);
/** Each set is killed twice: when it is applied, and when it returns. */
const ROUNDS = Array.from({ length: Math.ceil(KILLS / 2) }, (_, round) => {
  const places = Object.keys(PLACES) as Place[];
  return places[round % places.length] as Place;
});

const ITEMS = 200;
const AUTHORITY = { administers: false, confirmedName: undefined };
const accountId = uuidv7();
const actor = { accountId };

let database: Database;
let url: string;
let drop: () => Promise<void>;
let catalogue: Catalogue;
let service: ServiceProcess;
const start = async () => {
  service = await startServiceProcess({ DATABASE_URL: url, AUTH_JWT_SECRET: SECRET });
};
beforeAll(async () => {
  ({ url, drop } = await createTestDatabase());
  database = openDatabase({ url });
  catalogue = createCatalogue({ database });
  const person = { accountId, name: 'Ada', email: 'ada@muster.example', role: 'editor' as const };
  const now = new Date();
  await insertPerson(database.prisma, {
    ...person,
    mustChangePassword: false,
    passwordHash: 'none',
    now,
  });
  await start();
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  await database.close();
  await drop();
});

const kill = async () => {
  const ended = new Promise((resolve) => service.child.once('close', resolve));
  service.child.kill('SIGKILL');
  await ended;
};

/** A set that changes the price of all Items of a new sandbox. */
const scheduleSale = async () => {
  const { changeSets, items, sandboxes } = catalogue;
  const { sandbox_id } = await sandboxes.create(actor, { name: 'Live' });
  const creates = Array.from({ length: ITEMS }, (_, index) => ({
    operation: 'create' as const,
    name: `Sword ${index}`,
    item_type: 'unit' as const,
    tags: [],
    custom_data: { price: '100' },
  }));
  const bulk = { sandbox_id, operations: creates };
  const { records } = await items.bulk(actor, bulk, AUTHORITY);
  const { change_set_id } = await changeSets.create(actor, { sandbox_id, title: 'Weekend sale' });
  const set = { sandbox_id, change_set_id };
  const { revision: expected_revision } = await changeSets.addOperations(actor, {
    ...set,
    operations: records.map(({ item_id }) => ({
      kind: 'item' as const,
      operation: 'update' as const,
      item_id,
      expected_version: 1,
      custom_data: { price: '80' },
    })),
  });
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  const moments = { apply_at: hours(1), return_at: hours(2) };
  await changeSets.schedule(actor, { ...set, expected_revision, ...moments }, AUTHORITY);
  return set;
};

type SetReference = Awaited<ReturnType<typeof scheduleSale>>;

const readState = async (set: SetReference) => (await catalogue.changeSets.get(set)).state;

/** Makes the next step due, kills the service at the place, and starts another one, which completes the step. */
const killAt = async (place: Place, set: SetReference, expected: string) => {
  const lock = PLACES[place];
  await database.pool.query(
    `UPDATE change_set SET next_step_at = now() + interval '1 second' WHERE change_set_id = $1`,
    [set.change_set_id],
  );
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    if (lock) await client.query(lock, lock.includes('$1') ? [set.sandbox_id] : []);
    if (lock) {
      const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted';
      await expect
        .poll(async () => (await database.pool.query(waiting)).rowCount, { interval: 20 })
        .toBeGreaterThan(0);
    } else {
      await expect.poll(() => readState(set), { interval: 5 }).toBe(expected);
    }
    await kill();
    await client.query('ROLLBACK');
  } finally {
    client.release();
  }
  await start();
  await expect.poll(() => readState(set), { timeout: 60_000 }).toBe(expected);
};

const listPrices = async ({ sandbox_id }: SetReference) => {
  const page = { sandbox_id, include_deleted: false, page_size: 200 };
  const { records } = await catalogue.items.list(page);
  return [
    ...new Set(records.map(({ custom_data, version }) => `${custom_data?.price} v${version}`)),
  ];
};

test.each(ROUNDS.map((place, index) => [place, index + 1]))(
  'a step that is killed at %s (set %i) is done once',
  async (place) => {
    const set = await scheduleSale();
    expect(await listPrices(set)).toEqual(['100 v1']);
    await killAt(place as Place, set, 'applied');
    expect(await listPrices(set)).toEqual(['80 v2']);
    await killAt(place as Place, set, 'reverted');
    expect(await listPrices(set)).toEqual(['100 v3']);
    const { edits } = await catalogue.edits.list(set.sandbox_id, null, 10);
    expect(edits).toHaveLength(3);
    const check = await catalogue.verification.check(set.sandbox_id, 0, 5_000);
    expect(check).toMatchObject({ done: true, checked_to_seq: 3 * ITEMS });
    expect(check).not.toHaveProperty('broken');
  },
);
