// The export of audit records on a Citus cluster, where each node has transaction ids of its own, also after an upgrade of the cluster.
import { distribute, migrateDatabase } from '@muster/database';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { createAdminCaller } from '../admin-caller.ts';
import { authorise, SECRET } from '../faults/test-bed.ts';
import { startServiceProcess } from '../service-process.ts';
import { cluster, hasNoCitus } from './with-citus.ts';

/** What the migration made. */
const UNDO = `
  SET citus.enable_unsafe_triggers TO on;
  DROP TRIGGER audit_record_set_transaction ON audit_record;
  DROP FUNCTION set_audit_transaction;
  DROP FUNCTION read_audit;
  DROP INDEX audit_record_in_order;
  ALTER TABLE audit_record DROP COLUMN transaction_id;
  DROP TABLE maintenance;
  DELETE FROM _prisma_migrations WHERE migration_name = '0040_operations'`;

const run = async (client: pg.Client, text: string): Promise<void> => {
  for (const statement of text.split(';')) await client.query(statement);
};

describe.skipIf(hasNoCitus)('a Citus cluster', () => {
  afterAll(() => cluster.stop());

  test('exports every audit record of every node once, and records that commit late', async () => {
    const url = await cluster.createDatabase('audited');
    await migrateDatabase({ url });
    await distribute({ url });
    const client = new pg.Client({ connectionString: url });
    // The cluster stops before a client of a failed test.
    client.on('error', () => {});
    await client.connect();
    await run(client, UNDO);
    expect(await migrateDatabase({ url })).toEqual(['0040_operations']);

    const service = await startServiceProcess({ DATABASE_URL: url, AUTH_JWT_SECRET: SECRET });
    const authorization = await authorise('siem', '*');
    const admin = createAdminCaller(service.baseUrl, { authorization });
    const read = async (cursor: string) => {
      const query = cursor === '' ? '' : `?cursor=${cursor}`;
      const response = await fetch(`${service.baseUrl}/admin/audit/export${query}`, {
        headers: { authorization },
      });
      const text = await response.text();
      expect(response.status, text).toBe(200);
      const lines = text.split('\n').slice(0, -1);
      const ids = lines.map((line) => (JSON.parse(line) as { audit_id: string }).audit_id);
      return { ids, cursor: response.headers.get('muster-cursor') ?? '' };
    };

    await client.query('BEGIN');
    await client.query(`
      INSERT INTO audit_record (audit_id, occurred_at, account_id, action, target)
      SELECT gen_random_uuid(), now(), 'late', 'late.one', '{}' FROM generate_series(1, 16)`);
    for (let n = 0; n < 40; n += 1) {
      const { code } = await admin.mutate('keys.createAccount', { name: `Account ${n}` });
      expect(code).toBeUndefined();
    }
    const during = await read('');
    await client.query('COMMIT');

    const seen = [...during.ids];
    let { cursor } = during;
    const wanted = await client.query<{ id: string }>('SELECT audit_id AS id FROM audit_record');
    await expect
      .poll(
        async () => {
          const page = await read(cursor);
          seen.push(...page.ids);
          cursor = page.cursor;
          return seen.length;
        },
        { timeout: 30_000 },
      )
      .toBe(wanted.rows.length);
    expect(new Set(seen)).toEqual(new Set(wanted.rows.map(({ id }) => id)));
    expect((await read(cursor)).ids).toEqual([]);

    await admin.mutate('maintenance.set', { enabled: true });
    expect((await admin.mutate('keys.createAccount', { name: 'Refused' })).status).toBe(503);
    await client.end();
    expect(await service.stop()).toBe(0);
  });
});
