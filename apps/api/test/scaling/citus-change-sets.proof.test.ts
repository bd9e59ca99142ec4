// The coordinator of a Citus cluster dies while a scheduled change set is applied, and leaves a prepared transaction behind.
import type { CitusNode } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import { makeKey } from '../faults/change-set-processes.ts';
import { SECRET } from '../faults/test-bed.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { cluster, hasNoCitus } from './with-citus.ts';

const WAIT = { timeout: 120_000, interval: 200 };

/** While a session of the node has this lock, no transaction with an audit record is prepared there. */
const LOCK = 40;
const HOLD = `
  CREATE OR REPLACE FUNCTION hold_prepare() RETURNS trigger LANGUAGE plpgsql AS
  'BEGIN PERFORM pg_advisory_lock(${LOCK}); PERFORM pg_advisory_unlock(${LOCK}); RETURN NULL; END'`;
const PREPARED = 'SELECT gid FROM pg_prepared_xacts';
/** Others are committed at once. */
const HELD = `${PREPARED} WHERE prepared < clock_timestamp() - interval '1 second'`;

describe.skipIf(hasNoCitus)('a change set on a Citus cluster', () => {
  let services: ServiceProcess[];
  let admin: AdminCaller;
  beforeAll(async () => {
    const environment = { DATABASE_URL: cluster.url, AUTH_JWT_SECRET: SECRET };
    services = await Promise.all([1, 2].map(() => startServiceProcess(environment)));
    const baseUrl = services[0]?.baseUrl ?? '';
    admin = createAdminCaller(baseUrl, { authorization: await makeKey(baseUrl) });
  });
  afterAll(async () => {
    expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0]);
    await cluster.stop();
  });

  const connect = async (port?: number) => {
    const url = new URL(cluster.url);
    if (port !== undefined) url.port = String(port);
    const client = new pg.Client({ connectionString: url.href });
    // The node may be killed.
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const query = async <Row extends object>(text: string, values: unknown[] = [], port?: number) => {
    const client = await connect(port);
    return (await client.query<Row>(text, values).finally(() => client.end())).rows;
  };

  const readGids = async (port: number) =>
    (await query<{ gid: string }>(PREPARED, [], port)).map(({ gid }) => gid);

  const ask = async <Data>(procedure: string, input: object): Promise<Data> => {
    const { status, data, code } = await admin.mutate<Data>(procedure, input);
    if (status !== 200) throw new Error(`${procedure} answered ${status} ${code}`);
    return data;
  };
  type Item = { item_id: string; version: number; custom_data: { price: string } };
  type Set = { change_set_id: string; revision: number; state: string };

  /** A scheduled set that halves the price of an Item. The records are on the first worker. */
  const scheduleSale = async () => {
    const { sandbox_id } = await ask<{ sandbox_id: string }>('sandboxes.create', { name: 'Live' });
    const [place] = await query<{ nodeport: number }>(
      `SELECT nodeport FROM citus_shards
       WHERE table_name = 'sandbox'::regclass AND shardid = get_shard_id_for_distribution_column('sandbox', $1::uuid)`,
      [sandbox_id],
    );
    const custom_data = { price: '100' };
    const item = { sandbox_id, name: 'Sword', item_type: 'unit', tags: [], custom_data };
    const { item_id } = await ask<Item>('items.create', item);
    const made = await ask<Set>('changeSets.create', { sandbox_id, title: 'Sale' });
    const set = { sandbox_id, change_set_id: made.change_set_id };
    const change = { kind: 'item', operation: 'update', item_id, expected_version: 1 };
    const operations = [{ ...change, custom_data: { price: '50' } }];
    const { revision } = await ask<Set>('changeSets.addOperations', { ...set, operations });
    const apply_at = new Date(Date.now() + 3_600_000).toISOString();
    await ask('changeSets.schedule', { ...set, expected_revision: revision, apply_at });
    return { ...set, item_id, port: place?.nodeport };
  };
  type Sale = Awaited<ReturnType<typeof scheduleSale>>;

  const makeDue = ({ sandbox_id, change_set_id }: Sale) =>
    query(
      'UPDATE change_set SET next_step_at = now() WHERE sandbox_id = $1 AND change_set_id = $2',
      [sandbox_id, change_set_id],
    );

  const expectAppliedOnce = async ({ sandbox_id, change_set_id, item_id }: Sale) => {
    const readState = async () =>
      (await admin.query<Set>('changeSets.get', { sandbox_id, change_set_id })).data?.state;
    await expect.poll(readState, WAIT).toBe('applied');
    const { data } = await admin.query<Item>('items.get', { sandbox_id, item_id });
    expect(data).toMatchObject({ version: 2, custom_data: { price: '50' } });
    const edits = await admin.query<{ edits: object[] }>('edits.list', { sandbox_id });
    expect(edits.data.edits).toHaveLength(2);
    const check = await admin.query('verification.check', { sandbox_id });
    expect(check.data).toMatchObject({ done: true, checked_to_seq: 2 });
    expect(check.data).not.toHaveProperty('broken');
  };

  /**
   * Applies sets until one has its records on the first worker and its audit record on the second one, whose part of
   * the transaction is not prepared yet. The part of the first worker is. `release` lets the second one continue.
   */
  const holdApply = async () => {
    const [first, second] = cluster.workers.map(({ port }) => port) as [number, number];
    const shards = await query<{ shard_name: string }>(
      `SELECT shard_name FROM citus_shards WHERE table_name = 'audit_record'::regclass AND nodeport = $1`,
      [second],
    );
    const holder = await connect(second);
    // The function and the triggers are on this node only.
    await holder.query('SET citus.enable_ddl_propagation TO off');
    await holder.query('SET citus.enable_manual_changes_to_shards TO on');
    await holder.query(HOLD);
    for (const { shard_name } of shards) {
      await holder.query(
        `CREATE CONSTRAINT TRIGGER hold_prepare AFTER INSERT ON ${shard_name} DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION hold_prepare()`,
      );
    }
    const remove = async () => {
      await holder.query('DROP FUNCTION hold_prepare CASCADE');
      await holder.end();
    };
    for (;;) {
      const sale = await scheduleSale();
      if (sale.port !== first) continue;
      await holder.query(`SELECT pg_advisory_lock(${LOCK})`);
      await makeDue(sale);
      const isHeld = await vi
        .waitUntil(async () => (await query(HELD, [], first)).length > 0, { timeout: 5_000 })
        .catch(() => false);
      const release = () => holder.query(`SELECT pg_advisory_unlock(${LOCK})`);
      if (isHeld) return { sale, release, remove, left: await readGids(first) };
      await release();
    }
  };

  /** The recovery of Citus, which also runs every minute. Until then these transactions keep their locks. */
  const recover = async (port: number, left: readonly string[]) => {
    await vi.waitFor(async () => {
      await query('SELECT recover_prepared_transactions()');
      expect((await readGids(port)).filter((gid) => left.includes(gid))).toEqual([]);
    }, WAIT);
  };

  test('whose coordinator dies before the commit is applied once, after the recovery', async () => {
    const { sale, release, remove, left } = await holdApply();
    const [{ port }] = cluster.workers as [CitusNode];
    await cluster.coordinator.kill();
    await release();
    expect(await readGids(port)).toEqual(left);
    await vi.waitFor(() => cluster.coordinator.start(), WAIT);
    await recover(port, left);
    await remove();
    await expectAppliedOnce(sale);
  });

  test('whose coordinator dies after the commit is applied once, by the recovery', async () => {
    const { sale, release, remove, left } = await holdApply();
    const [worker] = cluster.workers as [CitusNode];
    await worker.freeze();
    await release();
    const isLogged = async () => {
      const logged = 'SELECT 1 FROM pg_dist_transaction WHERE gid = ANY ($1)';
      return (await query(logged, [left])).length > 0;
    };
    await expect.poll(isLogged, WAIT).toBe(true);
    await Promise.all([cluster.coordinator.kill(), worker.kill()]);
    await vi.waitFor(() => worker.start(), WAIT);
    expect(await readGids(worker.port)).toEqual(left);
    await vi.waitFor(() => cluster.coordinator.start(), WAIT);
    await recover(worker.port, left);
    await remove();
    await expectAppliedOnce(sale);
  });
});
