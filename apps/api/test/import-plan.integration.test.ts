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
        counts: { ...UNCHANGED, unchanged: count },
      });
      const applied = await opened.client.apply(opened.sandbox, kind, { format }, file);
      expect(applied).toMatchObject({ status: 200, body: { head_seq: plan.head_seq } });
      expect(applied.body).not.toHaveProperty('transaction_id');
      expect(applied.body).not.toHaveProperty('change_set_id');
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

describe('a draft', () => {
  test('is a change set with the changes of each row, and changes no record', async () => {
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
    const plan = await opened.client.draft(
      opened.sandbox,
      'item',
      query,
      file.map((row) => `${JSON.stringify(row)}\n`).join(''),
    );
    expect(plan.counts).toEqual({ create: 1, update: 1, restore: 0, delete: 1, unchanged: 1 });
    expect(plan.operations).toEqual([
      {
        kind: 'item',
        record_id: sword.item_id,
        name: '=Sword',
        operation: 'update',
        changes: [
          expect.objectContaining({ path: ['tags', 'a,b'], change: 'removed' }),
          expect.objectContaining({ path: ['custom_data', 'emoji'], change: 'removed' }),
        ],
      },
      {
        kind: 'item',
        record_id: expect.any(String),
        name: 'Bow',
        operation: 'create',
        changes: expect.any(Array),
      },
      {
        kind: 'item',
        record_id: expect.any(String),
        name: '\'Axe, "big"',
        operation: 'delete',
        changes: expect.any(Array),
      },
    ]);
    expect(plan).toMatchObject({ errors: [], head_seq: 4 });
    expect(await opened.headSeq()).toBe(4);
  });

  test('keeps its title and reason, and is applied as every change set', async () => {
    const query = { mode: 'draft', title: 'Import of bows.csv', reason: 'Season 2' };
    const file = '{"name":"Bow","item_type":"unit"}';
    const { body } = await opened.client.importFile(opened.sandbox, 'item', query, file);
    const place = { sandbox_id: opened.sandbox, change_set_id: body.change_set_id };
    const { revision, ...set } = await opened.client.query('changeSets.get', place);
    expect(set).toMatchObject({
      title: 'Import of bows.csv',
      reason: 'Season 2',
      state: 'draft',
      operation_count: 1,
    });
    const input = { ...place, expected_revision: revision };
    const applied = await opened.client.mutate('changeSets.apply', input);
    expect(applied).toMatchObject({ head_seq: 5, change_set: { state: 'applied' } });
    expect(await opened.exportText('item')).toContain('"name":"Bow"');
  });

  test('is merged with edits since then, field by field', async () => {
    const [sword] = (await opened.exportText('item')).split('\n');
    const { item_id, ...fields } = JSON.parse(sword ?? '');
    const file = JSON.stringify({ item_id, ...fields, tags: ['new'] });
    const { change_set_id } = await opened.client.draft(opened.sandbox, 'item', {}, file);
    const edit = { sandbox_id: opened.sandbox, item_id, expected_version: 1 };
    await opened.client.mutate('items.update', { ...edit, name: 'Blade' });
    const place = { sandbox_id: opened.sandbox, change_set_id };
    const { revision } = await opened.client.query('changeSets.get', place);
    await opened.client.mutate('changeSets.apply', { ...place, expected_revision: revision });
    const now = await opened.client.query('items.get', { sandbox_id: opened.sandbox, item_id });
    expect(now).toMatchObject({ name: 'Blade', tags: ['new'], version: 3 });
  });

  test('is not made for a file with problems or without changes', async () => {
    const read = (file: string) =>
      opened.client.importFile(opened.sandbox, 'item', { mode: 'draft' }, file);
    const wrong = await read('{"name":"Bow"}');
    expect(wrong).toMatchObject({ status: 200, body: { error_count: 1 } });
    const same = await read(await opened.exportText('item'));
    expect(same).toMatchObject({ status: 200, body: { error_count: 0 } });
    for (const { body } of [wrong, same]) expect(body).not.toHaveProperty('change_set_id');
    const input = { sandbox_id: opened.sandbox };
    const { change_sets } = await opened.client.query('changeSets.list', input);
    expect(change_sets).toEqual([]);
  });

  test('that overwrites records of a protected sandbox needs its name when it is applied', async () => {
    const [sword] = (await opened.exportText('item')).split('\n');
    const file = JSON.stringify({ ...JSON.parse(sword ?? ''), name: 'Other' });
    const input = { sandbox_id: opened.sandbox, protected: true, required_approvals: 0 };
    await opened.client.mutate('sandboxes.update', input);
    const { change_set_id } = await opened.client.draft(opened.sandbox, 'item', {}, file);
    const place = { sandbox_id: opened.sandbox, change_set_id };
    const { revision } = await opened.client.query('changeSets.get', place);
    const apply = (confirmation = {}) =>
      opened.client.mutate('changeSets.apply', {
        ...place,
        expected_revision: revision,
        ...confirmation,
      });
    await expect(apply()).rejects.toThrow('sandbox_confirmation_required');
    const applied = await apply({ confirm_sandbox_name: 'Live' });
    expect(applied.change_set.state).toBe('applied');
  });
});

describe('a dry run', () => {
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
