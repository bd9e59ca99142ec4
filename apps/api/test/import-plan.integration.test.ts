import { describe, expect, test } from 'vitest';
import { EMOJI, ITEMS, UNCHANGED, useTransferCatalogue, XP } from './transfer-client.ts';

const opened = useTransferCatalogue();

describe.each(['ndjson', 'csv'] as const)('as %s', (format) => {
  test.each(['item', 'xp'] as const)(
    'an export of %s is imported again without a change',
    async (kind) => {
      const file = await opened.exportText(kind, { format });
      const plan = await opened.client.plan(
        opened.sandbox,
        kind,
        { format, delete_missing: true },
        file,
      );
      const count = kind === 'item' ? ITEMS.length : XP.length;
      expect(plan).toMatchObject({
        errors: [],
        operations: [],
        counts: { ...UNCHANGED, unchanged: count },
      });
      const applied = await opened.client.apply(opened.sandbox, kind, { format }, file);
      expect(applied).toMatchObject({ status: 200, body: { head_seq: plan.head_seq } });
      expect(applied.body).not.toHaveProperty('transaction_id');
    },
  );

  test('an export creates the same records in another sandbox', async () => {
    const file = await opened.exportText('item', { format });
    const { sandbox_id: other } = await opened.client.mutate('sandboxes.create', { name: 'Copy' });
    const { body } = await opened.client.apply(other, 'item', { format }, file);
    expect(body.counts).toEqual({ ...UNCHANGED, create: 3, unchanged: 0 });
    expect(await (await opened.client.exportFile(other, 'item', { format })).text()).toBe(file);
  });
});

test('reports problems of a file in bounded bytes, however long its names are', async () => {
  const row = `${JSON.stringify({ name: 'a', ['k'.repeat(20_000)]: 1 })}\n`;
  const plan = await opened.client.plan(opened.sandbox, 'item', {}, row.repeat(500));
  expect(plan.error_count).toBe(1_000);
  expect(JSON.stringify(plan).length).toBeLessThan(300_000);
  expect(plan.errors[0]).toMatchObject({ row: 1 });
});

describe('a dry run', () => {
  test('shows the changes of each row by field, and changes nothing', async () => {
    const [sword, shield] = (await opened.exportText('item'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const file = [
      { ...sword, tags: ['-c'], custom_data: { ...EMOJI, emoji: undefined } },
      { name: 'Bow', item_type: 'unit' },
      shield,
    ];
    const query = { delete_missing: true };
    const plan = await opened.client.plan(
      opened.sandbox,
      'item',
      query,
      file.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
    expect(plan.counts).toEqual({ create: 1, update: 1, restore: 0, delete: 1, unchanged: 1 });
    expect(plan.operations).toEqual([
      {
        row: 1,
        record_id: sword.item_id,
        name: '=Sword',
        operation: 'update',
        changes: [
          expect.objectContaining({ path: ['tags', 'a,b'], change: 'removed' }),
          expect.objectContaining({ path: ['custom_data', 'emoji'], change: 'removed' }),
        ],
      },
      {
        row: 2,
        record_id: expect.any(String),
        name: 'Bow',
        operation: 'create',
        changes: expect.any(Array),
      },
      {
        record_id: expect.any(String),
        name: '\'Axe, "big"',
        operation: 'delete',
        changes: expect.any(Array),
      },
    ]);
    expect(plan).toMatchObject({ errors: [], head_seq: 4 });
    expect(await opened.headSeq()).toBe(4);
  });

  test('lists a plan in parts of a thousand operations', async () => {
    const names = Array.from({ length: 1_002 }, (_, at) => `Bow ${at + 1}`);
    const csv = ['name,item_type', ...names.map((name) => `${name},unit`)].join('\n');
    const read = (query: object) =>
      opened.client.plan(opened.sandbox, 'item', { format: 'csv', ...query }, csv);
    const first = await read({});
    const rest = await read({ operations_from: 1_000 });
    const told = [...first.operations, ...rest.operations].map(({ name }) => name);
    expect(told).toEqual(names);
    expect(rest).toMatchObject({ plan_digest: first.plan_digest, counts: first.counts });
    expect((await read({ operations_from: 1_002 })).operations).toEqual([]);
  });

  test('reports every problem with its row and its column', async () => {
    const ids = (await opened.exportText('item'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).item_id);
    const csv = [
      'item_id,legacy_item_id,name,item_type,tags,custom_data',
      ',,Bow,weapon,[],{}',
      `${ids[0]},8,Sword,unit,[],{}`,
      `${ids[1]},,Shield,unit,[],`,
      `${ids[1]},,Shield,unit,[],`,
      ',-7,Thief,unit,[],',
      ',9,Nine,unit,[],',
      ',9,Nine too,unit,[],',
      'x,,,unit,"[1]","{""k"":[2]}"',
      ',,Bad,unit,[,{}',
      ',,Short',
    ].join('\n');
    const { errors, error_count, ...plan } = await opened.client.plan(
      opened.sandbox,
      'item',
      { format: 'csv' },
      csv,
    );
    expect(errors.map(({ row, column }) => [row, column])).toEqual([
      [2, 'item_type'],
      [3, 'legacy_item_id'],
      [5, 'item_id'],
      [6, 'legacy_item_id'],
      [8, 'legacy_item_id'],
      [9, 'item_id'],
      [9, 'name'],
      [9, 'tags'],
      [9, 'custom_data'],
      [10, 'tags'],
      [11, undefined],
    ]);
    expect(error_count).toBe(errors.length);
    expect(errors[2]?.msg).toBe('Row 4 has the same id');
    expect(plan).not.toHaveProperty('plan_digest');
    const apply = {
      format: 'csv',
      mode: 'apply',
      plan_digest: '0'.repeat(64),
      expected_head_seq: 4,
    };
    const applied = await opened.client.importFile(opened.sandbox, 'item', apply, csv);
    expect(applied.status).toBe(422);
    expect(applied.body.detail[0]).toMatchObject({ loc: ['body', 2, 'item_type'] });
    expect(await opened.headSeq()).toBe(4);
  });

  test('refuses unknown fields', async () => {
    const { errors } = await opened.client.plan(
      opened.sandbox,
      'item',
      {},
      '{"name":"a","item_type":"unit","price":4}',
    );
    expect(errors).toEqual([{ row: 1, column: 'price', msg: 'There is no such field' }]);
  });

  test('refuses more rows than one transaction should contain', async () => {
    const answer = await opened.client.importFile(
      opened.sandbox,
      'item',
      {},
      '{"name":"a","item_type":"unit"}\n'.repeat(50_001),
    );
    expect(answer).toMatchObject({ status: 413, body: { error_code: 'body_too_large' } });
    expect(answer.body.desc).toContain('50000 rows');
  });
});
