import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCatalogue } from '../catalogue/testing/open-test-catalogue.ts';
import {
  ACTOR,
  anItem,
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

const UNKNOWN = '00000000-0000-4000-8000-00000000dead';
const itemId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

type Entry = { record_id: string; status: string; changes: object[]; [field: string]: unknown };
type Operation = { record_id: string; operation: string; changes: object[] };

const add = (sandbox_id: string, number: number, fields: object = {}) =>
  opened.catalogue.items.create(ACTOR, {
    sandbox_id,
    item_id: itemId(number),
    ...anItem(`Item ${number}`),
    ...fields,
  });

const remove = (sandbox_id: string, number: number, expected_version = 1) =>
  opened.catalogue.items.delete(ACTOR, { sandbox_id, item_id: itemId(number), expected_version });

/** 1 in the source only, 2 in the target only, 3 different, 4 and 5 the same. */
const fill = async () => {
  const source = await opened.addSandbox('Staging');
  const target = await opened.addSandbox('Production');
  await add(source, 1);
  await add(target, 2);
  await add(source, 3, { description: 'New', custom_data: { damage: '5' } });
  await add(target, 3, { tags: ['old'], custom_data: { damage: '4' } });
  for (const sandbox of [source, target]) await add(sandbox, 4, { custom_data: { a: '1' } });
  await add(source, 5, { custom_data: { a: '1', b: '2' } });
  await add(target, 5, { custom_data: { b: '2', a: '1' } });
  const pair = { sandbox_id: target, source_sandbox_id: source, kind: 'item' as const };
  return { source, target, pair };
};

const list = (input: object) => callWith('*')('compare.list', input, 'query');
const promote = (input: object) => callWith('*')('compare.promote', input);

const COUNTS = { only_source: 1, only_target: 1, different: 1, same: 2 };

describe('compare.list', () => {
  test('lists records that are missing or different, and no equal ones', async () => {
    const { pair } = await fill();
    const { data } = await list(pair);
    expect(data.counts).toEqual(COUNTS);
    expect(data.page_meta).toEqual({ page_size: 50 });
    const [onlySource, onlyTarget, different] = data.entries as Entry[];
    expect(onlySource).toMatchObject({ record_id: itemId(1), status: 'only_source' });
    expect(onlySource).not.toHaveProperty('target');
    expect(onlyTarget).toMatchObject({ record_id: itemId(2), status: 'only_target' });
    expect(onlyTarget).not.toHaveProperty('source');
    expect(different).toMatchObject({
      record_id: itemId(3),
      name: 'Item 3',
      status: 'different',
      source: { version: 1, record: { description: 'New' } },
      target: { version: 1, record: { tags: ['old'] } },
      changes: [
        { path: ['tags', 'old'], change: 'removed' },
        { path: ['custom_data', 'damage'], before: '4', after: '5' },
        { path: ['description'], change: 'added', after: 'New' },
      ],
    });
  });

  test('a deleted record is absent', async () => {
    const { pair, source, target } = await fill();
    await remove(target, 4);
    await remove(source, 5);
    const { data } = await list(pair);
    expect(data.entries.map(({ record_id, status }: Entry) => [record_id, status])).toEqual([
      [itemId(1), 'only_source'],
      [itemId(2), 'only_target'],
      [itemId(3), 'different'],
      [itemId(4), 'only_source'],
      [itemId(5), 'only_target'],
    ]);
  });

  test('returns pages with the counts of the first page', async () => {
    const { pair } = await fill();
    for (const [status, expected] of [
      [undefined, [1, 2, 3]],
      ['different', [3]],
      ['only_source', [1]],
      ['only_target', [2]],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { data } = await list({ ...pair, status, page_size: 1, cursor });
        expect(data.counts).toEqual(COUNTS);
        seen.push(...data.entries.map(({ record_id }: Entry) => record_id));
        cursor = data.page_meta.cursor;
      } while (cursor);
      expect(seen).toEqual(expected.map(itemId));
    }
  });

  test('refuses the same sandbox twice, unknown sandboxes and bad input', async () => {
    const { pair, source, target } = await fill();
    expect((await list({ ...pair, source_sandbox_id: target })).status).toBe(400);
    expect((await list({ ...pair, status: 'same' })).status).toBe(400);
    expect(await list({ ...pair, sandbox_id: UNKNOWN })).toMatchObject({
      status: 404,
      error: { error_code: 'sandbox_not_found' },
    });
    const oneSided = callWith(`sandbox:${target}:config:view`);
    expect((await oneSided('compare.list', pair, 'query')).status).toBe(403);
    const both = callWith(`sandbox:${target}:config:view`, `sandbox:${source}:config:view`);
    expect((await both('compare.list', pair, 'query')).status).toBe(200);
  });
});

describe('compare.promote', () => {
  const all = (pair: object) => ({ ...pair, record_ids: [1, 3, 4, 5].map(itemId) });

  test('copies the records of the source to the target, as the dry run showed', async () => {
    const { pair, target } = await fill();
    const dry = await promote({ ...all(pair), dry_run: true });
    expect(dry.data).toMatchObject({ head_seq: 4, source_head_seq: 4, errors: [] });
    expect(dry.data).not.toHaveProperty('transaction_id');
    expect(
      dry.data.operations.map(({ record_id, operation }: Operation) => [record_id, operation]),
    ).toEqual([
      [itemId(1), 'insert'],
      [itemId(3), 'update'],
    ]);
    expect((await list(pair)).data.counts).toEqual(COUNTS);

    const done = await promote({
      ...all(pair),
      dry_run: false,
      reason: 'Release 7',
      expected_head_seq: dry.data.head_seq,
      expected_source_head_seq: dry.data.source_head_seq,
    });
    expect(done.data).toMatchObject({ operations: dry.data.operations, head_seq: 6 });
    const counts = { only_source: 0, only_target: 1, different: 0, same: 4 };
    expect((await list(pair)).data.counts).toEqual(counts);
    const chain = await readChain(opened.database, target);
    expect(chain).toMatchObject({ broken: [], headMatches: true, positions: [1, 2, 3, 4, 5, 6] });
    const where = { sandboxId: target, action: 'compare.promote' };
    expect(await opened.database.prisma.auditRecord.findMany({ where })).toMatchObject([
      {
        target: { item_ids: [itemId(1), itemId(3)] },
        after: {
          transaction_id: done.data.transaction_id,
          source_sandbox_id: pair.source_sandbox_id,
          source_head_seq: 4,
        },
        reason: 'Release 7',
      },
    ]);
  });

  test('restores what the target deleted, deletes what the source deleted', async () => {
    const { pair, source, target } = await fill();
    await remove(target, 3);
    await remove(source, 4);
    const record_ids = [3, 4].map(itemId);
    const { data } = await promote({ ...pair, record_ids, dry_run: false });
    expect(data.operations.map(({ operation }: Operation) => operation)).toEqual([
      'restore',
      'update',
      'delete',
    ]);
    const counts = { only_source: 1, only_target: 1, different: 0, same: 2 };
    expect((await list(pair)).data.counts).toEqual(counts);
  });

  test('reports a record that cannot be promoted; the dry run reports every one', async () => {
    const { pair, source, target } = await fill();
    await add(source, 6, { legacy_item_id: 60 });
    await add(target, 7, { legacy_item_id: 60 });
    await add(source, 8, { legacy_item_id: 80 });
    await add(target, 8, { legacy_item_id: 88 });
    const record_ids = [1, 6, 8, 9].map(itemId);
    const dry = await promote({ ...pair, record_ids, dry_run: true });
    expect(dry.data.operations).toMatchObject([{ record_id: itemId(1) }]);
    expect(dry.data.errors).toMatchObject([
      { record_id: itemId(6), name: 'Item 6', error_code: 'legacy_id_taken' },
      { record_id: itemId(8), name: 'Item 8', error_code: 'input_invalid' },
      { record_id: itemId(9), error_code: 'record_not_found' },
    ]);
    expect(await promote({ ...pair, record_ids, dry_run: false })).toMatchObject({
      status: 409,
      error: { error_code: 'legacy_id_taken', record_id: itemId(6), refused_records: 3 },
    });
    expect((await list(pair)).data.counts.only_source).toBe(2);
  });

  test('copies a legacy id, and keeps one that the source lacks', async () => {
    const { pair, source, target } = await fill();
    await add(source, 6, { legacy_item_id: 60 });
    await add(source, 7, { description: 'x' });
    await add(target, 7, { legacy_item_id: 70 });
    await promote({ ...pair, record_ids: [6, 7].map(itemId), dry_run: false });
    const get = (number: number) =>
      opened.catalogue.items.get({ sandbox_id: target, item_id: itemId(number) });
    expect(await get(6)).toMatchObject({ legacy_item_id: 60 });
    expect(await get(7)).toMatchObject({ legacy_item_id: 70, description: 'x' });
  });

  test('is refused when either sandbox has changed since the dry run', async () => {
    const { pair, source, target } = await fill();
    const expected = { expected_head_seq: 4, expected_source_head_seq: 4 };
    const input = { ...all(pair), ...expected, dry_run: false };
    await add(source, 9);
    const outdated = { status: 409, error: { error_code: 'promote_outdated' } };
    expect(await promote(input)).toMatchObject(outdated);
    await add(target, 9);
    const { error } = await promote({ ...input, expected_source_head_seq: 5 });
    expect(error).toMatchObject({ ...outdated.error, head_seq: 5, source_head_seq: 5 });
  });

  test('requires an admin and the name of a protected sandbox, except for a dry run', async () => {
    const { pair, source, target } = await fill();
    await opened.catalogue.sandboxes.update(
      ACTOR,
      { sandbox_id: target, protected: true, required_approvals: 0 },
      { administers: true, confirmedName: undefined },
    );
    const editor = callWith(`sandbox:${target}:config:edit`, `sandbox:${source}:config:view`);
    const input = { ...all(pair), dry_run: false };
    const confirmed = { ...input, confirm_sandbox_name: 'Production' };
    expect((await editor('compare.promote', { ...input, dry_run: true })).status).toBe(200);
    expect(await editor('compare.promote', confirmed)).toMatchObject({
      status: 403,
      error: { error_code: 'sandbox_protected' },
    });
    expect(await promote(input)).toMatchObject({
      status: 409,
      error: { error_code: 'sandbox_confirmation_required' },
    });
    expect((await promote(confirmed)).status).toBe(200);
  });

  test('requires edit on the target and view on the source', async () => {
    const { pair, source, target } = await fill();
    const input = { ...all(pair), dry_run: true };
    for (const permissions of [
      [`sandbox:${target}:config:view`, `sandbox:${source}:config:edit`],
      [`sandbox:${target}:config:edit`],
    ]) {
      expect((await callWith(...permissions)('compare.promote', input)).status).toBe(403);
    }
    expect((await promote({ ...input, record_ids: [] })).status).toBe(400);
    expect((await promote({ ...input, sandbox_id: UNKNOWN })).status).toBe(404);
    expect((await promote({ ...input, source_sandbox_id: UNKNOWN })).status).toBe(404);
    expect((await promote({ ...input, source_sandbox_id: target })).status).toBe(400);
  });

  test('is refused for a hidden source before the other fields are validated', async () => {
    const { pair, target } = await fill();
    const editor = callWith(`sandbox:${target}:config:edit`);
    const invalid = { ...pair, kind: 'tower', record_ids: [], dry_run: 'perhaps', extra: 1 };
    for (const procedure of ['compare.promote', 'compare.list']) {
      const type = procedure === 'compare.list' ? 'query' : 'mutation';
      expect(await editor(procedure, invalid, type)).toMatchObject({
        status: 403,
        error: {
          error_code: 'insufficient_permissions',
          desc: 'The credential does not permit viewing the source sandbox.',
        },
      });
    }
  });
});
