import { Item, Xp } from '@muster/contract';
import { hashVersion } from '@muster/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldName, ITEM, writeSnapshot, XP } from '../../catalogue/index.ts';
import { createDemoDatabase, NOW } from './testing/demo-database.ts';

const DAY_MS = 86_400_000;

let demo: Awaited<ReturnType<typeof createDemoDatabase>>;

beforeAll(async () => {
  demo = await createDemoDatabase();
});

afterAll(() => demo.close());

type VersionRow = Record<
  'sandbox_id' | 'kind' | 'record_id' | 'version_id' | 'transaction_id' | 'operation',
  string
> &
  Record<'account_id' | 'version_name' | 'snapshot', string> & {
    seq: number;
    version: number;
    reason: string | null;
    issued_at: Date;
    hash: Buffer;
  };

/** Staging and Production have records of the same ids. */
const keyOf = ({ sandbox_id, record_id }: { sandbox_id?: unknown; record_id?: unknown }): string =>
  `${sandbox_id} ${record_id}`;

const readVersions = () =>
  demo.select<VersionRow>(
    `SELECT *, seq::int AS seq, version::int AS version FROM catalogue_version v ORDER BY v.sandbox_id, v.seq`,
  );

test('the chain of every sandbox can be recomputed, and its counters count it', async () => {
  const versions = await readVersions();
  const sandboxes = await demo.select<{ sandbox_id: string; head_seq: number; head_hash: Buffer }>(
    `SELECT sandbox_id, head_seq::int, head_hash, item_versions::int, xp_versions::int FROM sandbox`,
  );
  for (const sandbox of sandboxes) {
    const own = versions.filter((version) => version.sandbox_id === sandbox.sandbox_id);
    let previousHash: Buffer | null = null;
    for (const [index, version] of own.entries()) {
      expect(version.seq).toBe(index + 1);
      const expected = hashVersion({
        previousHash,
        seq: version.seq,
        sandboxId: version.sandbox_id,
        kind: version.kind,
        recordId: version.record_id,
        recordVersion: version.version,
        versionId: version.version_id,
        transactionId: version.transaction_id,
        operation: version.operation,
        accountId: version.account_id,
        reason: version.reason,
        issuedAt: version.issued_at,
        snapshot: version.snapshot,
      });
      if (!version.hash.equals(expected)) throw new Error(`Version ${index + 1} breaks the chain.`);
      previousHash = version.hash;
    }
    expect(sandbox).toMatchObject({
      head_seq: own.length,
      head_hash: previousHash,
      item_versions: own.filter(({ kind }) => kind === 'item').length,
      xp_versions: own.filter(({ kind }) => kind === 'xp').length,
    });
  }
});

test('times never decrease with positions, from a year ago to yesterday', async () => {
  const versions = await readVersions();
  for (const [index, version] of versions.entries()) {
    const before = versions[index - 1];
    if (before?.sandbox_id !== version.sandbox_id) continue;
    if (before.issued_at > version.issued_at) throw new Error(`Version ${version.seq} is too old.`);
  }
  const times = versions.map(({ issued_at }) => issued_at.getTime());
  expect((NOW.getTime() - Math.min(...times)) / DAY_MS).toBeGreaterThan(360);
  expect((NOW.getTime() - Math.min(...times)) / DAY_MS).toBeLessThan(367);
  expect(new Date(Math.max(...times)).toISOString().slice(0, 10)).toBe('2026-03-13');
});

test('each record equals its newest version and keeps all of its names', async () => {
  const byRecord = Map.groupBy(await readVersions(), keyOf);
  const records = await demo.select<Record<string, unknown>>(
    `SELECT *, version::int, head_seq::int, legacy_id::int, legacy_seq::int FROM catalogue_record`,
  );
  type NameRow = Record<'sandbox_id' | 'record_id' | 'folded_name', string> & { first_seq: number };
  const names = await demo.select<NameRow>(
    'SELECT sandbox_id, record_id, folded_name, first_seq::int FROM catalogue_name',
  );
  const namesByRecord = Map.groupBy(names, keyOf);
  for (const record of records) {
    const id = keyOf(record);
    const versions = byRecord.get(id) ?? [];
    const newest = versions.at(-1)!;
    const legacyIdOf = ({ snapshot }: VersionRow): unknown => {
      const fields = JSON.parse(snapshot);
      return fields.legacy_item_id ?? fields.legacy_xp_id ?? null;
    };
    const firstNames = new Map<string, number>();
    for (const { version_name, seq } of versions) {
      const folded = foldName(version_name);
      if (!firstNames.has(folded)) firstNames.set(folded, seq);
    }
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
    expect(record).toMatchObject({
      version: versions.length,
      head_seq: newest.seq,
      name: newest.version_name,
      folded_name: foldName(newest.version_name),
      deleted: newest.operation === 'delete',
      snapshot: newest.snapshot,
      created_at: versions[0]?.issued_at,
      updated_at: newest.issued_at,
      legacy_id: legacyIdOf(newest),
      legacy_seq: versions.find((version) => legacyIdOf(version) !== null)?.seq ?? null,
    });
    expect(
      new Map((namesByRecord.get(id) ?? []).map((row) => [row.folded_name, row.first_seq])),
    ).toEqual(firstNames);
  }
  expect(names.length).toBeGreaterThan(records.length + 50);
});

test('every version equals one that the service would write', async () => {
  const previous = new Map<string, VersionRow>();
  for (const version of await readVersions()) {
    const kind = version.kind === 'item' ? ITEM : XP;
    const fields = JSON.parse(version.snapshot);
    expect(writeSnapshot(kind, version.record_id, fields)).toBe(version.snapshot);
    expect(fields.name).toBe(version.version_name);
    const before = previous.get(keyOf(version));
    const { operation } = version;
    if (!before) expect(operation).toBe('insert');
    else if (before.operation === 'delete') expect(operation).toBe('restore');
    else expect(['update', 'delete', 'restore']).toContain(operation);
    if (operation === 'delete') expect(version.snapshot).toBe(before?.snapshot);
    if (operation === 'update') expect(version.snapshot).not.toBe(before?.snapshot);
    previous.set(keyOf(version), version);
  }
});

test('snapshots satisfy the contract, and Items refer to existing Xp tables', async () => {
  const versions = await readVersions();
  const tables = new Set<string>();
  for (const { kind, snapshot, sandbox_id, record_id } of versions) {
    const record = JSON.parse(snapshot);
    if (kind === 'xp') tables.add(keyOf({ sandbox_id, record_id }));
    expect((kind === 'xp' ? Xp : Item).parse(record)).toEqual(record);
    if (record.level_xp_table_id === undefined) continue;
    if (!tables.has(`${sandbox_id} ${record.level_xp_table_id}`)) throw new Error('No such table.');
  }
});

test('histories have all operations, bulk edits, several accounts and names beyond ASCII', async () => {
  const versions = await readVersions();
  const operations = Map.groupBy(versions, ({ operation }) => operation);
  expect(operations.get('insert')).toHaveLength(330);
  expect(operations.get('delete')?.length).toBeGreaterThan(30);
  expect(operations.get('restore')?.length).toBeGreaterThan(50);
  const transactions = Map.groupBy(versions, ({ transaction_id }) => transaction_id);
  expect([...transactions.values()].filter((list) => list.length > 5).length).toBeGreaterThan(30);
  expect(new Set(versions.map(({ account_id }) => account_id)).size).toBeGreaterThan(4);
  expect(await demo.count(`catalogue_record WHERE name ~ '[^\\x01-\\x7f]'`)).toBeGreaterThan(20);
  expect(await demo.count('catalogue_record WHERE deleted')).toBeLessThan(30);
});

test('Staging has the records of Production, and a few changes that can be promoted', async () => {
  type RecordRow = { record_id: string; kind: string; deleted: boolean; snapshot: string };
  const readRecords = async (name: string) => {
    const records = await demo.select<RecordRow>(
      `SELECT r.record_id, r.kind, r.deleted, r.snapshot FROM catalogue_record r
       JOIN sandbox s USING (sandbox_id) WHERE s.name = '${name}'`,
    );
    return new Map(records.map((record) => [record.record_id, record]));
  };
  const [staging, production] = [await readRecords('Staging'), await readRecords('Production')];
  const counts = { same: 0, different: 0, added: 0, deleted: 0, tables: 0 };
  for (const [id, { kind, deleted, snapshot }] of staging) {
    const other = production.get(id);
    if (!other) counts.added += 1;
    else if (deleted !== other.deleted) counts.deleted += 1;
    else if (snapshot === other.snapshot) counts.same += 1;
    else if (kind === 'xp') counts.tables += 1;
    else counts.different += 1;
  }
  const same = production.size - 9;
  expect(counts).toEqual({ same, different: 7, added: 1, deleted: 1, tables: 1 });
});
