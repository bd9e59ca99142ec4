// History in the admin API: versions.*, records.asOf.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestCatalogue } from '../catalogue/testing/open-test-catalogue.ts';
import {
  ACTOR,
  anItem,
  anXp,
  openTestCatalogue,
} from '../catalogue/testing/open-test-catalogue.ts';
import { createRecordsRouter } from './records-router.ts';
import type { AdminCall } from './testing/admin-client.ts';
import { createCallers } from './testing/admin-client.ts';
import { router } from './trpc.ts';
import { createVersionsRouter } from './versions-router.ts';

const START = Date.parse('2026-03-14T09:00:00.000Z');
const UNKNOWN = '00000000-0000-4000-8000-00000000dead';
const MINUTE_MS = 60_000;

let opened: TestCatalogue;
let callWith: (...permissions: string[]) => AdminCall;
let minutes = 0;
beforeAll(async () => {
  opened = await openTestCatalogue({ now: () => new Date(START + minutes * MINUTE_MS) });
  callWith = createCallers(
    router({
      versions: createVersionsRouter(opened.catalogue.reader),
      records: createRecordsRouter(opened.catalogue.reader),
    }),
  );
});
afterAll(() => opened.close());

type Version = { seq: number; version_id: string; [field: string]: unknown };

const ask = (procedure: string, input: object) => callWith('*')(procedure, input, 'query');
const listSeqs = async (input: object): Promise<number[]> => {
  const { data, error } = await ask('versions.list', input);
  if (error) throw new Error(error.desc);
  return data.versions.map(({ seq }: Version) => seq);
};

/** Seven versions, a minute apart: two Items and an Xp table. */
const fill = async () => {
  const { items, xp } = opened.catalogue;
  const other = { ...ACTOR, accountId: 'editor-2' };
  const sandbox_id = await opened.addSandbox();
  minutes = 0;
  const sword = await items.create(ACTOR, { sandbox_id, ...anItem('Sword') });
  minutes = 1;
  const axe = await items.create(other, { sandbox_id, ...anItem('Axe'), reason: 'New' });
  minutes = 2;
  const levels = await xp.create(ACTOR, { sandbox_id, ...anXp('Levels') });
  minutes = 3;
  const edit = { sandbox_id, item_id: sword.item_id };
  await items.update(ACTOR, { ...edit, expected_version: 1, name: 'Blade', tags: ['a'] });
  minutes = 4;
  await items.delete(other, { ...edit, expected_version: 2 });
  minutes = 5;
  const restored = await items.restore(ACTOR, { ...edit, expected_version: 3 });
  minutes = 6;
  const back = { ...edit, expected_version: 4, version_id: sword.version_id };
  const last = await items.restore(ACTOR, back);
  return { sandbox_id, sword, axe, levels, restored, last };
};

const at = (minute: number) => new Date(START + minute * MINUTE_MS).toISOString();

describe('versions.list', () => {
  test('lists each version with its changes, newest first', async () => {
    const { sandbox_id, sword, axe } = await fill();
    const { data } = await ask('versions.list', { sandbox_id });
    expect(data.page_meta).toEqual({ page_size: 50, total: 7 });
    expect(data.versions.map(({ seq }: Version) => seq)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(data.versions[3]).toEqual({
      seq: 4,
      version_id: expect.any(String),
      previous_version_id: sword.version_id,
      transaction_id: expect.any(String),
      kind: 'item',
      record_id: sword.item_id,
      version: 2,
      operation: 'update',
      account_id: ACTOR.accountId,
      issued_at: at(3),
      name: 'Blade',
      changed_fields: ['name', 'tags'],
    });
    expect(data.versions[5]).toMatchObject({ version_id: axe.version_id, reason: 'New' });
    expect(data.versions[5]).not.toHaveProperty('previous_version_id');
  });

  test('applies each filter, and all of them together', async () => {
    const { sandbox_id, sword, levels } = await fill();
    const list = (filter: object) => listSeqs({ sandbox_id, sort_order: 'asc', ...filter });
    expect(await list({ kind: 'xp' })).toEqual([3]);
    expect(await list({ record_id: sword.item_id })).toEqual([1, 4, 5, 6, 7]);
    expect(await list({ account_id: 'editor-2' })).toEqual([2, 5]);
    expect(await list({ account_id: 'editor-2', kind: 'xp' })).toEqual([]);
    expect(await list({ operation: 'restore' })).toEqual([6, 7]);
    expect(await list({ transaction_id: levels.transaction_id })).toEqual([3]);
    expect(await list({ transaction_id: levels.transaction_id, kind: 'item' })).toEqual([]);
    expect(await list({ name: 'SWORD' })).toEqual([1, 4, 5, 6, 7]);
    expect(await list({ name: '' })).toHaveLength(7);
    expect(await list({ name: '%' })).toEqual([]);
    expect(await list({ changed_field: 'tags' })).toEqual([1, 2, 4, 7]);
    expect(await list({ changed_field: 'xp_thresholds' })).toEqual([3]);
    expect(await list({ from: at(2), to: at(5) })).toEqual([3, 4, 5]);
    expect(await list({ from: at(7) })).toEqual([]);
    expect(await list({ to: at(0) })).toEqual([]);
    expect(
      await list({
        kind: 'item',
        record_id: sword.item_id,
        account_id: ACTOR.accountId,
        from: at(3),
        to: at(7),
        operation: 'restore',
        changed_field: 'name',
        name: 'bla',
      }),
    ).toEqual([7]);
  });

  test('finds versions by name when an Item and an Xp table have the same id', async () => {
    const { items, xp } = opened.catalogue;
    for (const [xpName, named] of [
      ['Sword curve', [1, 2]],
      ['Fast', [1]],
    ] as const) {
      const sandbox_id = await opened.addSandbox();
      const input = { sandbox_id, name: 'sword' };
      const item = { sandbox_id, item_id: UNKNOWN, ...anItem('Sword') };
      const { transaction_id } = await items.create(ACTOR, item);
      await xp.create(ACTOR, { sandbox_id, xp_id: UNKNOWN, ...anXp(xpName) });
      const { data } = await ask('versions.list', { ...input, sort_order: 'asc' });
      expect(data.versions.map(({ seq }: Version) => seq)).toEqual(named);
      expect(data.page_meta.total).toBe(named.length);
      expect(await listSeqs({ ...input, operation: 'insert' })).toEqual(named.toReversed());
      expect(await listSeqs({ ...input, kind: 'item' })).toEqual([1]);
      expect(await listSeqs({ ...input, transaction_id })).toEqual([1]);
    }
    const sandbox_id = await opened.addSandbox();
    const { transaction_id } = await xp.create(ACTOR, {
      sandbox_id,
      xp_id: UNKNOWN,
      ...anXp('Fast'),
    });
    await items.create(ACTOR, { sandbox_id, item_id: UNKNOWN, ...anItem('Sword') });
    expect(await listSeqs({ sandbox_id, name: 'sword', transaction_id })).toEqual([]);
  });

  test('pages contain each version of the first page once, with the right total', async () => {
    const cases: [object, number][] = [
      [{}, 7],
      [{ kind: 'item' }, 6],
      [{ name: 'sword' }, 5],
      [{ from: at(1), to: at(6) }, 5],
      [{ account_id: ACTOR.accountId }, 5],
    ];
    for (const [filter, total] of cases) {
      for (const sort_order of ['asc', 'desc']) {
        const { sandbox_id } = await fill();
        const all = await listSeqs({ sandbox_id, sort_order, ...filter });
        const seen: number[] = [];
        let cursor: string | undefined;
        do {
          const input = { sandbox_id, sort_order, ...filter, page_size: 2, cursor };
          const { data } = await ask('versions.list', input);
          seen.push(...data.versions.map(({ seq }: Version) => seq));
          expect(data.page_meta.total).toBe(total);
          cursor = data.page_meta.cursor;
          const another = { sandbox_id, ...anItem('Sword while walking') };
          if (cursor) await opened.catalogue.items.create(ACTOR, another);
        } while (cursor);
        expect(seen).toEqual(all);
        expect(seen).toHaveLength(total);
      }
    }
  });

  test('refuses unknown values', async () => {
    const { sandbox_id } = await fill();
    const bad = [
      { changed_field: 'item_id' },
      { cursor: 'x' },
      { page_size: 201 },
      { from: '2026-01-01T00:00:00' },
    ];
    for (const input of bad) {
      expect(await ask('versions.list', { sandbox_id, ...input })).toMatchObject({
        status: 400,
        error: { error_code: 'input_invalid' },
      });
    }
    expect(await ask('versions.list', { sandbox_id: UNKNOWN })).toMatchObject({
      status: 404,
      error: { error_code: 'sandbox_not_found' },
    });
  });
});

describe('versions.get and versions.diff', () => {
  test('return the whole record and its hash', async () => {
    const { sandbox_id, sword } = await fill();
    const input = { sandbox_id, version_id: sword.version_id };
    const { data } = await ask('versions.get', input);
    expect(data.record).toEqual({
      item_id: sword.item_id,
      name: 'Sword',
      item_type: 'unit',
      tags: [],
      custom_data: {},
    });
    expect(data.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('compare with the previous version, or with any other', async () => {
    const { sandbox_id, sword, restored, last } = await fill();
    const diff = async (input: object) =>
      (await ask('versions.diff', { sandbox_id, ...input })).data;
    const changes = [
      { path: ['name'], label: 'Name', change: 'changed', before: 'Blade', after: 'Sword' },
      { path: ['tags', 'a'], label: 'Tags: a', change: 'removed', before: 'a' },
    ];
    const previous = await diff({ to_version_id: last.version_id });
    expect(previous).toMatchObject({ from: { seq: 6 }, to: { seq: 7 }, changes });
    const named = { from_version_id: restored.version_id, to_version_id: sword.version_id };
    expect(await diff(named)).toMatchObject({ from: { seq: 6 }, to: { seq: 1 }, changes });
    const first = await diff({ to_version_id: sword.version_id });
    expect(first).not.toHaveProperty('from');
    expect(first.changes.map(({ change }: { change: string }) => change)).toContain('added');
  });

  test('find only versions of the sandbox, and refuse to compare different kinds', async () => {
    const { sandbox_id, sword, levels } = await fill();
    const elsewhere = await opened.addSandbox();
    const notFound = { status: 404, error: { error_code: 'version_not_found' } };
    const version_id = sword.version_id;
    expect(await ask('versions.get', { sandbox_id: elsewhere, version_id })).toMatchObject(
      notFound,
    );
    const to = { sandbox_id, to_version_id: version_id };
    expect(await ask('versions.diff', { ...to, from_version_id: UNKNOWN })).toMatchObject(notFound);
    expect(await ask('versions.diff', { ...to, from_version_id: levels.version_id })).toMatchObject(
      { status: 400 },
    );
  });
});

describe('records.asOf', () => {
  const namesAt = async (input: object) => {
    const { data } = await ask('records.asOf', { kind: 'item', ...input });
    return data.records.map(({ record }: { record: { name: string } }) => record.name).sort();
  };

  test('lists the records at a time or position, without those deleted by then', async () => {
    const { sandbox_id } = await fill();
    expect(await namesAt({ sandbox_id, seq: 0 })).toEqual([]);
    expect(await namesAt({ sandbox_id, seq: 3 })).toEqual(['Axe', 'Sword']);
    expect(await namesAt({ sandbox_id, at: at(3) })).toEqual(['Axe', 'Blade']);
    expect(await namesAt({ sandbox_id, at: '2026-03-14T09:04:59.999Z' })).toEqual(['Axe']);
    expect(await namesAt({ sandbox_id })).toEqual(['Axe', 'Sword']);
    expect(await namesAt({ sandbox_id, kind: 'xp', seq: 2 })).toEqual([]);
    const { data } = await ask('records.asOf', { sandbox_id, kind: 'xp', seq: 99 });
    expect(data).toMatchObject({
      as_of: { seq: 7, issued_at: at(6) },
      records: [{ version: 1, operation: 'insert', record: { name: 'Levels' } }],
    });
  });

  test('finds records by the name they had at that time', async () => {
    const { sandbox_id } = await fill();
    expect(await namesAt({ sandbox_id, seq: 4, name: 'sword' })).toEqual([]);
    expect(await namesAt({ sandbox_id, seq: 4, name: 'BLA' })).toEqual(['Blade']);
    expect(await namesAt({ sandbox_id, seq: 3, name: 'BLA' })).toEqual([]);
    expect(await namesAt({ sandbox_id, seq: 7, name: 'bla' })).toEqual([]);
  });

  test('refuses a time and a position together', async () => {
    const { sandbox_id } = await fill();
    const both = { sandbox_id, kind: 'item', seq: 1, at: at(1) };
    expect((await ask('records.asOf', both)).status).toBe(400);
    const nowhere = { sandbox_id: UNKNOWN, kind: 'item' };
    expect((await ask('records.asOf', nowhere)).status).toBe(404);
  });
});

test('shows nothing to callers who may only view another sandbox', async () => {
  const { sandbox_id, sword } = await fill();
  const calls: [string, object][] = [
    ['versions.list', {}],
    ['versions.get', { version_id: sword.version_id }],
    ['versions.diff', { to_version_id: sword.version_id }],
    ['records.asOf', { kind: 'item' }],
  ];
  for (const [procedure, input] of calls) {
    const stranger = callWith(`sandbox:${UNKNOWN}:config:view`);
    const viewer = callWith(`sandbox:${sandbox_id}:config:view`);
    const refused = await stranger(procedure, { sandbox_id, ...input }, 'query');
    expect(refused).toMatchObject({ status: 403 });
    expect((await viewer(procedure, { sandbox_id, ...input }, 'query')).status).toBe(200);
  }
});
