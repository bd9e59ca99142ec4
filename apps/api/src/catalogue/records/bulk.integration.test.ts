import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import {
  ACTOR,
  anItem,
  anXp,
  openTestCatalogue,
  readChain,
} from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const create = (name: string, more: object = {}) => ({
  operation: 'create' as const,
  ...anItem(name),
  ...more,
});

test('creates, updates, deletes and restores together under one transaction id', async () => {
  const sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  const names = ['Axe', 'Bow', 'Club'];
  const first = await items.bulk(ACTOR, { sandbox_id, operations: names.map((n) => create(n)) });
  const [axe, bow] = first.records;
  const second = await items.bulk(ACTOR, {
    sandbox_id,
    reason: 'Season 2',
    operations: [
      { operation: 'update', item_id: axe!.item_id, expected_version: 1, name: 'Great axe' },
      { operation: 'delete', item_id: bow!.item_id, expected_version: 1, reason: 'Unused' },
      create('Dagger'),
    ],
  });
  expect(first.records.map((record) => record.transaction_id)).toEqual(
    names.map(() => first.transaction_id),
  );
  expect(second.records).toMatchObject([
    { name: 'Great axe', version: 2, transaction_id: second.transaction_id },
    { name: 'Bow', version: 2, deleted: true },
    { name: 'Dagger', version: 1 },
  ]);
  const versions = await opened.database.prisma.catalogueVersion.findMany({
    where: { sandboxId: sandbox_id },
    orderBy: { seq: 'asc' },
  });
  expect(versions.slice(3).map(({ reason }) => reason)).toEqual(['Season 2', 'Unused', 'Season 2']);
  expect(new Set(versions.map(({ versionId }) => versionId)).size).toBe(6);
  const chain = await readChain(opened.database, sandbox_id);
  expect(chain).toMatchObject({ positions: [1, 2, 3, 4, 5, 6], broken: [], headMatches: true });
});

test('accepts several edits of one record, each based on the previous one', async () => {
  const sandbox_id = await opened.addSandbox();
  const { xp } = opened.catalogue;
  const { xp_id } = await xp.create(ACTOR, { sandbox_id, ...anXp('Levels') });
  const { records } = await xp.bulk(ACTOR, {
    sandbox_id,
    operations: [
      { operation: 'update', xp_id, expected_version: 1, name: 'Ranks' },
      { operation: 'delete', xp_id, expected_version: 2 },
      { operation: 'restore', xp_id, expected_version: 3 },
      { operation: 'update', xp_id, expected_version: 4, name: 'Ranks' },
    ],
  });
  expect(records.map(({ version, name }) => [version, name])).toEqual([
    [2, 'Ranks'],
    [3, 'Ranks'],
    [4, 'Ranks'],
    [4, 'Ranks'],
  ]);
  expect(await xp.get({ sandbox_id, xp_id })).toEqual(records[3]);
  const chain = await readChain(opened.database, sandbox_id);
  expect(chain).toMatchObject({ positions: [1, 2, 3, 4], broken: [], headMatches: true });
});

test('rolls back all operations when one is refused, and reports its index', async () => {
  const sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  const { item_id } = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
  const before = await readChain(opened.database, sandbox_id);
  const bulk = items.bulk(ACTOR, {
    sandbox_id,
    operations: [
      create('Bow'),
      { operation: 'update', item_id, expected_version: 1, name: 'Great axe' },
      { operation: 'update', item_id, expected_version: 1, name: 'Greater axe' },
    ],
  });
  await expect(bulk).rejects.toMatchObject({
    code: 'record_version_conflict',
    message: expect.stringContaining('Operation 2'),
    evidence: { facts: { operation_index: 2, current_version: 2 } },
  });
  expect(await readChain(opened.database, sandbox_id)).toEqual(before);
  expect(await items.get({ sandbox_id, item_id })).toMatchObject({ name: 'Axe', version: 1 });
});

test('refuses the second of two creates with the same legacy id', async () => {
  const sandbox_id = await opened.addSandbox();
  const twice = [create('Axe', { legacy_item_id: 3 }), create('Bow', { legacy_item_id: 3 })];
  const bulk = opened.catalogue.items.bulk(ACTOR, { sandbox_id, operations: twice });
  await expect(bulk).rejects.toMatchObject({
    code: 'legacy_id_taken',
    evidence: { facts: { operation_index: 1 } },
  });
});

test('writes nothing and returns no transaction id when nothing changes', async () => {
  const sandbox_id = await opened.addSandbox();
  const { items } = opened.catalogue;
  const record = await items.create(ACTOR, { sandbox_id, ...anItem('Axe') });
  const { item_id } = record;
  const operations = [
    { operation: 'update' as const, item_id, expected_version: 1, name: 'Axe' },
    { operation: 'restore' as const, item_id, expected_version: 1 },
  ];
  const answer = await items.bulk(ACTOR, { sandbox_id, operations });
  expect(answer).toEqual({ records: [record, record] });
  const where = { sandboxId: sandbox_id, action: 'items.bulk' };
  expect(await opened.database.prisma.auditRecord.count({ where })).toBe(0);
});

/** Counts the statements that are sent to the server, on every connection of the pool. */
const countStatements = () => {
  let count = 0;
  const counted = new WeakSet<object>();
  opened.database.pool.on('acquire', (client) => {
    if (counted.has(client)) return;
    counted.add(client);
    const query = client.query;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        count += 1;
        return Reflect.apply(query, client, args);
      },
    });
  });
  return () => count;
};

test('uses a dozen statements for 1,000 operations, like for 2', async () => {
  const sandbox_id = await opened.addSandbox();
  const readCount = countStatements();
  const write = async (operations: ReturnType<typeof create>[]) => {
    const before = readCount();
    await opened.catalogue.items.bulk(ACTOR, { sandbox_id, operations });
    return readCount() - before;
  };
  const few = await write([create('a'), create('b')]);
  expect(few).toBeGreaterThan(5);
  expect(few).toBeLessThanOrEqual(12);
  const many = Array.from({ length: 1000 }, (_, index) => create(`Item ${index}`));
  expect(await write(many)).toBe(few);
  const chain = await readChain(opened.database, sandbox_id);
  expect(chain).toMatchObject({ broken: [], headMatches: true });
  expect(chain.positions.at(-1)).toBe(1002);
});
