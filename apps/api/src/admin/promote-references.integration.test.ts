// Promotes Items whose Xp tables the target lacks, and deletions of Xp tables that Items of the target use.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCatalogue } from '../catalogue/testing/open-test-catalogue.ts';
import {
  ACTOR,
  anItem,
  anXp,
  openTestCatalogue,
  readChain,
} from '../catalogue/testing/open-test-catalogue.ts';
import { createCompareRouter } from './sandboxes-router.ts';
import type { AdminCall } from './testing/admin-client.ts';
import { createCallers } from './testing/admin-client.ts';
import { router } from './trpc.ts';

let opened: TestCatalogue;
let callWith: (...permissions: string[]) => AdminCall;
beforeAll(async () => {
  opened = await openTestCatalogue();
  const { compare, promotion } = opened.catalogue;
  callWith = createCallers(router({ compare: createCompareRouter(compare, promotion) }));
});
afterAll(() => opened.close());

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [AXE, BOW, HEROES, MOUNTS] = [idOf(1), idOf(2), idOf(101), idOf(102)];

const addItem = (sandbox_id: string, item_id: string, name: string, level_xp_table_id?: string) =>
  opened.catalogue.items.create(ACTOR, {
    sandbox_id,
    item_id,
    ...anItem(name),
    ...(level_xp_table_id !== undefined && { level_xp_table_id }),
  });

const addXp = (sandbox_id: string, xp_id: string, name: string, fields: object = {}) =>
  opened.catalogue.xp.create(ACTOR, { sandbox_id, xp_id, ...anXp(name), ...fields });

const removeXp = (sandbox_id: string, xp_id: string, expected_version = 1) =>
  opened.catalogue.xp.delete(ACTOR, { sandbox_id, xp_id, expected_version });

const promote = (input: object) => callWith('*')('compare.promote', input);

const makePair = async () => {
  const source = await opened.addSandbox('Staging');
  const target = await opened.addSandbox('Live');
  const pair = { sandbox_id: target, source_sandbox_id: source };
  const items = { ...pair, kind: 'item', record_ids: [AXE, BOW], dry_run: false };
  return { source, target, pair, items };
};

/** Axe and Bow use the table of heroes, which only the source has. */
const makeDanglingPair = async () => {
  const made = await makePair();
  await addXp(made.source, HEROES, 'Heroes');
  await addItem(made.source, AXE, 'Axe', HEROES);
  await addItem(made.source, BOW, 'Bow', HEROES);
  return made;
};

/** A promotion that has read the source and waits for the lock of the target, which another process holds. */
const promoteBehindLock = async (target: string, input: object) => {
  const { pool } = opened.database;
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM sandbox WHERE sandbox_id = $1 FOR UPDATE', [target]);
  const answer = promote(input);
  const countWaiting = async () => {
    const { rows } = await pool.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.waiting;
  };
  await expect.poll(countWaiting, { timeout: 20_000 }).toBe(1);
  const release = async (lastly = 'SELECT 1') => {
    await holder.query(lastly);
    await holder.query('COMMIT');
    holder.release();
  };
  return { answer, release };
};

const HEROES_DANGLE = {
  xp_id: HEROES,
  name: 'Heroes',
  in_source: true,
  can_include: true,
  items: [
    { item_id: AXE, name: 'Axe' },
    { item_id: BOW, name: 'Bow' },
  ],
};

type Operation = { kind: string; record_id: string; operation: string };
const listOperations = ({ operations }: { operations: Operation[] }) =>
  operations.map(({ kind, record_id, operation }) => [kind, record_id, operation]);

const readAudit = async (sandboxId: string) =>
  (
    await opened.database.prisma.auditRecord.findMany({
      where: { sandboxId, action: 'compare.promote' },
    })
  ).map(({ target, after }) => ({ target, after }));

const countVersions = (sandboxId: string) =>
  opened.database.prisma.catalogueVersion.count({ where: { sandboxId } });

describe('an Item whose Xp table the target lacks', () => {
  test('is reported by a dry run, and makes the promotion fail with its own error code', async () => {
    const { items, target } = await makeDanglingPair();
    const { data } = await promote({ ...items, dry_run: true });
    expect(data.dangling_references).toEqual([HEROES_DANGLE]);
    expect(listOperations(data)).toEqual([
      ['item', AXE, 'insert'],
      ['item', BOW, 'insert'],
    ]);
    const { status, error } = await promote(items);
    expect({ status, error }).toMatchObject({
      status: 409,
      error: {
        error_code: 'references_dangling',
        xp_id: HEROES,
        item_id: AXE,
        dangling_xp_tables: 1,
      },
    });
    expect(await countVersions(target)).toBe(0);
  });

  test('is promoted with its Xp table, which is written first, in one transaction', async () => {
    const { items, source, target } = await makeDanglingPair();
    const input = { ...items, include_referenced: true, reason: 'Season 4' };
    const dry = await promote({ ...input, dry_run: true });
    expect(dry.data.dangling_references).toEqual([HEROES_DANGLE]);
    const { data } = await promote({
      ...input,
      expected_head_seq: dry.data.head_seq,
      expected_source_head_seq: dry.data.source_head_seq,
    });
    expect(data.operations).toEqual(dry.data.operations);
    expect(listOperations(data)).toEqual([
      ['xp', HEROES, 'insert'],
      ['item', AXE, 'insert'],
      ['item', BOW, 'insert'],
    ]);
    const chain = await readChain(opened.database, target);
    expect(chain).toMatchObject({ broken: [], headMatches: true, positions: [1, 2, 3] });
    const versions = await opened.database.prisma.catalogueVersion.findMany({
      where: { sandboxId: target },
      select: { transactionId: true, reason: true },
    });
    const version = { transactionId: data.transaction_id, reason: 'Season 4' };
    expect(versions).toEqual([version, version, version]);
    expect(await readAudit(target)).toEqual([
      {
        target: { item_ids: [AXE, BOW], xp_ids: [HEROES] },
        after: {
          transaction_id: data.transaction_id,
          source_sandbox_id: source,
          source_head_seq: 3,
        },
      },
    ]);
    const again = await promote({ ...items, dry_run: true });
    expect(again.data).toMatchObject({ operations: [], dangling_references: [] });
  });

  test('is promoted without it when the caller allows that, which the audit record shows', async () => {
    const { items, target } = await makeDanglingPair();
    const { data } = await promote({ ...items, allow_dangling: true });
    expect(listOperations(data)).toEqual([
      ['item', AXE, 'insert'],
      ['item', BOW, 'insert'],
    ]);
    expect(await readAudit(target)).toMatchObject([
      { target: { item_ids: [AXE, BOW] }, after: { dangling_xp_tables: 1 } },
    ]);
    // Everything is written already, so the same request is no conflict.
    expect(await promote(items)).toMatchObject({ status: 200, data: { operations: [] } });
  });

  test('restores an Xp table that the target has deleted, with the values of the source', async () => {
    const { items, target } = await makeDanglingPair();
    await addXp(target, HEROES, 'Old heroes');
    await removeXp(target, HEROES);
    const dry = await promote({ ...items, dry_run: true });
    expect(dry.data.dangling_references).toEqual([HEROES_DANGLE]);
    const { data } = await promote({ ...items, include_referenced: true });
    expect(listOperations(data).slice(0, 2)).toEqual([
      ['xp', HEROES, 'restore'],
      ['xp', HEROES, 'update'],
    ]);
    expect(await opened.catalogue.xp.get({ sandbox_id: target, xp_id: HEROES })).toMatchObject({
      name: 'Heroes',
    });
  });

  test('needs no table when the target has one with the same id, even a different one', async () => {
    const { items, target } = await makeDanglingPair();
    await addXp(target, HEROES, 'Heroes of the target');
    const { status, data } = await promote({ ...items, include_referenced: true });
    expect({ status, dangling: data.dangling_references }).toEqual({ status: 200, dangling: [] });
    expect(listOperations(data)).not.toContainEqual(expect.arrayContaining(['xp']));
  });

  test('keeps a dangling reference when its table cannot be promoted, with the reason', async () => {
    const { items, source, target } = await makePair();
    await addXp(source, HEROES, 'Heroes', { legacy_xp_id: 7 });
    await addXp(target, idOf(107), 'Holder', { legacy_xp_id: 7 });
    await addXp(source, MOUNTS, 'Mounts');
    await removeXp(source, MOUNTS);
    await addItem(source, AXE, 'Axe', HEROES);
    await addItem(source, BOW, 'Bow', MOUNTS);
    await addItem(source, idOf(3), 'Cup', idOf(199));
    const input = { ...items, record_ids: [AXE, BOW, idOf(3)], include_referenced: true };
    const { data } = await promote({ ...input, dry_run: true });
    expect(data.dangling_references).toMatchObject([
      {
        xp_id: HEROES,
        name: 'Heroes',
        can_include: false,
        desc: expect.stringContaining('legacy id belongs'),
      },
      {
        xp_id: MOUNTS,
        name: 'Mounts',
        can_include: false,
        desc: expect.stringContaining('deleted in the source'),
      },
      {
        xp_id: idOf(199),
        in_source: false,
        can_include: false,
        desc: expect.stringContaining('does not exist'),
      },
    ]);
    expect(data.dangling_references[2]).not.toHaveProperty('name');
    expect(await promote(input)).toMatchObject({
      status: 409,
      error: { error_code: 'references_dangling', dangling_xp_tables: 3 },
    });
    expect((await promote({ ...input, allow_dangling: true })).status).toBe(200);
  });

  test('promotes the table at the position at which the Items were read', async () => {
    const { items, source, target } = await makeDanglingPair();
    const waiting = await promoteBehindLock(target, { ...items, include_referenced: true });
    await removeXp(source, HEROES);
    await waiting.release();
    const { data } = await waiting.answer;
    expect(data.source_head_seq).toBe(3);
    expect(listOperations(data)[0]).toEqual(['xp', HEROES, 'insert']);
  });

  test('is refused when another process deletes the table from the target during the promotion', async () => {
    const { items, target } = await makeDanglingPair();
    await addXp(target, HEROES, 'Heroes');
    const waiting = await promoteBehindLock(target, items);
    await waiting.release(`UPDATE catalogue_record SET deleted = true
      WHERE sandbox_id = '${target}' AND record_id = '${HEROES}'`);
    expect((await waiting.answer).error?.error_code).toBe('references_dangling');
  });

  test('is refused for its own reason when the Item itself cannot be promoted', async () => {
    const { items, source, target } = await makeDanglingPair();
    await opened.catalogue.items.update(ACTOR, {
      sandbox_id: source,
      item_id: AXE,
      expected_version: 1,
      legacy_item_id: 5,
    });
    await opened.catalogue.items.create(ACTOR, {
      sandbox_id: target,
      item_id: idOf(9),
      ...anItem('Holder'),
      legacy_item_id: 5,
    });
    const { data } = await promote({ ...items, dry_run: true });
    expect(data.errors).toMatchObject([{ record_id: AXE, error_code: 'legacy_id_taken' }]);
    expect(data.dangling_references).toEqual([
      { ...HEROES_DANGLE, items: [{ item_id: BOW, name: 'Bow' }] },
    ]);
    const both = { ...items, include_referenced: true };
    expect((await promote(both)).error).toMatchObject({ error_code: 'legacy_id_taken' });
  });

  test('is promoted into a protected sandbox only by its admin, with its name', async () => {
    const { items, source, target } = await makeDanglingPair();
    await opened.catalogue.sandboxes.update(
      ACTOR,
      { sandbox_id: target, protected: true, required_approvals: 0 },
      { administers: true, confirmedName: undefined },
    );
    const editor = callWith(`sandbox:${target}:config:edit`, `sandbox:${source}:config:view`);
    const input = { ...items, include_referenced: true, confirm_sandbox_name: 'Live' };
    expect((await editor('compare.promote', { ...input, dry_run: true })).data).toMatchObject({
      dangling_references: [HEROES_DANGLE],
    });
    expect((await editor('compare.promote', input)).error?.error_code).toBe('sandbox_protected');
    expect((await promote({ ...input, confirm_sandbox_name: 'live' })).status).toBe(409);
    expect((await promote(input)).status).toBe(200);
  });

  test('is listed by a dry run in a bounded response: a thousand Items with a table each', async () => {
    const { source, items } = await makePair();
    const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1);
    const { xp, items: records } = opened.catalogue;
    await xp.bulk(ACTOR, {
      sandbox_id: source,
      operations: numbers.map((number) => ({
        operation: 'create' as const,
        xp_id: idOf(10_000 + number),
        ...anXp(`Table ${number}`),
      })),
    });
    await records.bulk(ACTOR, {
      sandbox_id: source,
      operations: numbers.map((number) => ({
        operation: 'create' as const,
        item_id: idOf(number),
        ...anItem(`Item ${number}`),
        level_xp_table_id: idOf(10_000 + number),
      })),
    });
    const input = { ...items, record_ids: numbers.map(idOf), include_referenced: true };
    const dry = await promote({ ...input, dry_run: true });
    expect(dry.data.dangling_references).toHaveLength(1_000);
    const { data } = await promote(input);
    expect(data.dangling_references).toEqual([]);
    expect(data.operations).toHaveLength(2_000);
  });
});

describe('a deletion of an Xp table', () => {
  const makeDeletion = async () => {
    const { source, target, pair } = await makePair();
    for (const sandbox of [source, target]) await addXp(sandbox, HEROES, 'Heroes');
    await addItem(target, AXE, 'Axe', HEROES);
    await addItem(target, BOW, 'Bow');
    await removeXp(source, HEROES);
    return { target, input: { ...pair, kind: 'xp', record_ids: [HEROES], dry_run: false } };
  };

  test('is refused while an Item of the target uses it, unless that is allowed', async () => {
    const { target, input } = await makeDeletion();
    const { data } = await promote({ ...input, dry_run: true });
    expect(data.dangling_references).toEqual([
      {
        xp_id: HEROES,
        name: 'Heroes',
        in_source: true,
        can_include: false,
        desc: 'The promotion deletes it.',
        items: [{ item_id: AXE, name: 'Axe' }],
      },
    ]);
    for (const include_referenced of [false, true]) {
      expect(await promote({ ...input, include_referenced })).toMatchObject({
        status: 409,
        error: { error_code: 'references_dangling', item_id: AXE, xp_id: HEROES },
      });
    }
    expect((await promote({ ...input, allow_dangling: true })).status).toBe(200);
    expect(await readAudit(target)).toMatchObject([{ after: { dangling_xp_tables: 1 } }]);
  });

  test('is allowed when the Items that used it are deleted', async () => {
    const { target, input } = await makeDeletion();
    await opened.catalogue.items.delete(ACTOR, {
      sandbox_id: target,
      item_id: AXE,
      expected_version: 1,
    });
    expect(await promote(input)).toMatchObject({ status: 200, data: { dangling_references: [] } });
  });

  test('lists at most a thousand Items, and shows that there are more', async () => {
    const { target, input } = await makeDeletion();
    await opened.catalogue.items.bulk(ACTOR, {
      sandbox_id: target,
      operations: Array.from({ length: 1_000 }, (_, index) => ({
        operation: 'create' as const,
        item_id: idOf(1_000 + index),
        ...anItem('Sword'),
        level_xp_table_id: HEROES,
      })),
    });
    const { data } = await promote({ ...input, dry_run: true });
    expect(data.dangling_references).toMatchObject([{ xp_id: HEROES, more_items: true }]);
    expect(data.dangling_references[0].items).toHaveLength(1_000);
  });
});
