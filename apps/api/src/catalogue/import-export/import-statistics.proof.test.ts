// Long writes to a young database analyse its tables on the way, which never prevents the write.
import type { Database } from '@muster/database';
import { openDatabase } from '@muster/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalogueStore } from '../edits/catalogue-store.ts';
import { createCatalogueWriter } from '../edits/catalogue-writer.ts';
import { planWrite } from '../edits/edit-rules.ts';
import { ITEM } from '../records/record.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, openTestCatalogue, readChain } from '../testing/open-test-catalogue.ts';

const RECORDS = 501;

let opened: TestCatalogue;
let database: Database;
beforeAll(async () => {
  opened = await openTestCatalogue();
  // Statements of an import take about ten milliseconds.
  database = openDatabase({ url: opened.url, statementTimeoutMs: 4_000 });
});
afterAll(async () => {
  await database.close();
  await opened.close();
});

const newId = () => crypto.randomUUID();

/** Imports into a new sandbox; returns its number of records. */
const writeMany = async (): Promise<number> => {
  const sandboxId = await opened.addSandbox();
  const writer = createCatalogueWriter(createCatalogueStore(database), {
    newId,
    now: () => new Date(),
  });
  const operations = Array.from({ length: RECORDS }, (_, index) => ({
    type: 'create' as const,
    recordId: newId(),
    reason: undefined,
    fields: { name: `Item ${index}`, item_type: 'unit', tags: [], custom_data: {} },
  }));
  await writer.writeInParts({
    actor: ACTOR,
    sandboxId,
    count: operations.length,
    async *plan(_, open) {
      for (const batch of inBatches(operations)) {
        const { versions } = planWrite(open(ITEM), batch, false);
        yield { versions, operations: batch.length };
      }
    },
    finish: async () => undefined,
  });
  const { positions, broken } = await readChain(opened.database, sandboxId);
  expect(broken).toEqual([]);
  return positions.length;
};

function* inBatches<Element>(elements: readonly Element[]): Generator<Element[]> {
  for (let at = 0; at < elements.length; at += 500) yield elements.slice(at, at + 500);
}

const query = (text: string) => opened.database.pool.query(text);
const countAnalyses = async (): Promise<number> => {
  const { rows } = await query(
    `SELECT analyze_count::int AS count FROM pg_stat_user_tables WHERE relname = 'catalogue_record'`,
  );
  return rows[0].count;
};

test('does not delay a long write by the analysis of another one', async () => {
  const other = await opened.database.pool.connect();
  await other.query('BEGIN');
  await other.query('ANALYZE catalogue_record, catalogue_version');
  try {
    expect(await writeMany()).toBe(RECORDS);
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
});

test('aborts an analysis that takes too long, and continues the write', async () => {
  await query(`CREATE FUNCTION slow_to_analyse(name text) RETURNS text IMMUTABLE LANGUAGE plpgsql AS $$
    BEGIN
      IF current_query() LIKE 'ANALYZE%' THEN PERFORM pg_sleep(60); END IF;
      RETURN name;
    END $$`);
  await query('CREATE INDEX slow_index ON catalogue_record (slow_to_analyse(name))');
  try {
    expect(await writeMany()).toBe(RECORDS);
  } finally {
    await query('DROP FUNCTION slow_to_analyse CASCADE');
  }
});

test('analyses a young table, but not one that was analysed with many records', async () => {
  const before = await countAnalyses();
  await writeMany();
  await expect.poll(countAnalyses).toBe(before + 1);
  await query(`INSERT INTO catalogue_record (sandbox_id, kind, record_id, name, folded_name, version, head_seq, snapshot,
      created_at, updated_at)
    SELECT sandbox_id, 'xp', gen_random_uuid(), 'x', 'x', 1, 1, '{}', now(), now()
    FROM (SELECT sandbox_id FROM sandbox LIMIT 1) s, generate_series(1, 11000)`);
  await query('ANALYZE catalogue_record');
  const known = await countAnalyses();
  await writeMany();
  expect(await countAnalyses()).toBe(known);
});
