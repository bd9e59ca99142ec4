import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCatalogue } from '../catalogue/testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../catalogue/testing/open-test-catalogue.ts';
import { createChangeSetsRouter } from './change-sets-router.ts';
import { createCompareRouter } from './sandboxes-router.ts';
import type { AdminCall } from './testing/admin-client.ts';
import { createCallers } from './testing/admin-client.ts';
import { router } from './trpc.ts';

let opened: TestCatalogue;
let callWith: (...permissions: string[]) => AdminCall;
beforeAll(async () => {
  opened = await openTestCatalogue();
  const compare = createCompareRouter(opened.catalogue.compare);
  const changeSets = createChangeSetsRouter(opened.catalogue);
  callWith = createCallers(router({ compare, changeSets }));
});
afterAll(() => opened.close());

const UNKNOWN = '00000000-0000-4000-8000-00000000dead';
const itemId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

type Entry = { record_id: string; status: string; changes: object[]; [field: string]: unknown };

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

describe('changeSets.promote', () => {
  const promote = 'changeSets.promote';

  test('requires edit on the target and view on the source', async () => {
    const { pair, source, target } = await fill();
    for (const permissions of [
      [`sandbox:${target}:config:view`, `sandbox:${source}:config:edit`],
      [`sandbox:${target}:config:edit`],
    ]) {
      expect((await callWith(...permissions)(promote, pair)).status).toBe(403);
    }
    const editor = callWith(`sandbox:${target}:config:edit`, `sandbox:${source}:config:view`);
    expect(await editor(promote, pair)).toMatchObject({ status: 200, data: { state: 'draft' } });
    expect((await editor(promote, { ...pair, record_ids: [] })).status).toBe(400);
    expect((await editor(promote, { ...pair, status: 'only_target' })).status).toBe(400);
  });

  test('is refused for a hidden source before the other fields are validated', async () => {
    const { pair, target } = await fill();
    const editor = callWith(`sandbox:${target}:config:edit`);
    const invalid = { ...pair, kind: 'tower', record_ids: [], extra: 1 };
    for (const procedure of [promote, 'compare.list']) {
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
