// Files as studios export them: separators, encodings, JSON, and columns that are no fields.
import { describe, expect, test } from 'vitest';
import { UNCHANGED, useTransferCatalogue } from './transfer-client.ts';

const opened = useTransferCatalogue();

const SHEET = [
  ['legacy_item_id', 'name', 'item_type', 'price', 'Rarity'],
  ['7001', 'Épée', 'unit', '500', 'legendary'],
  ['7002', 'Bow', 'unit', '0.10', 'common'],
];
const write = (separator: string) => `${SHEET.map((row) => row.join(separator)).join('\n')}\n`;
const JSON_ROWS = SHEET.slice(1).map(
  ([legacy, name, type, price, rarity]) =>
    `{"legacy_item_id":${legacy},"name":"${name}","item_type":"${type}","price":${price},"Rarity":"${rarity}"}`,
);

const readItems = async () => {
  const lines = (await opened.exportText('item')).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
};
const readCustom = async () => {
  const items = await readItems();
  return [7001, 7002].map(
    (id) => items.find(({ legacy_item_id }) => legacy_item_id === id)?.custom_data,
  );
};

test.each([
  ['commas', 'csv', write(',')],
  ['semicolons', 'csv', write(';')],
  ['tabs', 'csv', write('\t')],
  ['a row that names the separator', 'csv', `sep=;\r\n${write(';')}`],
  ['empty rows and columns at the edges', 'csv', `\n${write(',').replaceAll(/^|$/gm, ',')}\n,,\n`],
  ['a byte order mark', 'csv', `\uFEFF${write(';')}`],
  ['UTF-16, little endian', 'csv', Buffer.from(`\uFEFF${write('\t')}`, 'utf16le')],
  ['UTF-16, big endian', 'csv', Buffer.from(`\uFEFF${write('\t')}`, 'utf16le').swap16()],
  ['a JSON array', 'ndjson', `[${JSON_ROWS.join(',')}]`],
  ['JSON lines', 'ndjson', JSON_ROWS.join('\n')],
])('reads a file with %s', async (_, format, file) => {
  const { body } = await opened.client.apply(
    opened.sandbox,
    'item',
    { format, columns: 'auto' },
    file,
  );
  expect(body).toMatchObject({ counts: { ...UNCHANGED, create: 2 }, errors: [] });
  expect(body.columns).toEqual([
    { name: 'legacy_item_id', field: 'legacy_item_id' },
    { name: 'name', field: 'name' },
    { name: 'item_type', field: 'item_type' },
    { name: 'price', field: 'custom_data.price' },
    { name: 'Rarity', field: 'custom_data.Rarity' },
  ]);
  expect(body.converted_count).toBe(format === 'csv' ? 0 : 2);
  expect(await readCustom()).toEqual([
    { price: '500', Rarity: 'legendary' },
    { price: '0.10', Rarity: 'common' },
  ]);
});

test('says that a file has a header but no rows, also when it would delete every record', async () => {
  const query = { format: 'csv', delete_missing: true };
  const plan = await opened.client.plan(opened.sandbox, 'item', query, 'name,item_type\n,\n');
  expect(plan.errors).toEqual([{ row: 1, msg: 'The file has a header but no rows' }]);
});

test('numbers and booleans in custom data become the text of the file, and are counted once', async () => {
  const line = (n: number) =>
    `{"name":"Axe ${n}","item_type":"unit","custom_data":{"a":1e21,"b":0.10,"c":true,"d":"x \\" 5","e":null,"f":12345678901234567890}}`;
  const rows = Array.from({ length: 300 }, (_, at) => line(at)).join('\n');
  const { body } = await opened.client.apply(opened.sandbox, 'item', {}, rows);
  expect(body).toMatchObject({ converted_count: 1_200, warnings: [], counts: { create: 300 } });
  const axe = (await readItems()).find(({ name }) => name === 'Axe 7');
  const custom = { a: '1e21', b: '0.10', c: 'true', d: 'x " 5', f: '12345678901234567890' };
  expect(axe.custom_data).toEqual(custom);
  const csv = 'name,item_type,custom_data\nSaw,unit,"{""a"":1.50}"';
  const saw = await opened.client.apply(opened.sandbox, 'item', { format: 'csv' }, csv);
  expect(saw.body.converted_count).toBe(1);
  expect((await readItems()).find(({ name }) => name === 'Saw').custom_data).toEqual({ a: '1.50' });
});

describe('columns', () => {
  const prices = 'Old ID;Cost;comment\n-7;750;check this\n';
  const columns = {
    'Old ID': 'legacy_item_id',
    Cost: 'custom_data.price',
    comment: null,
  };

  test('that are mapped update only what they name, and the legacy id finds the record', async () => {
    const before = (await readItems()).find(({ legacy_item_id }) => legacy_item_id === -7);
    const query = { format: 'csv', columns: JSON.stringify(columns) };
    const { body } = await opened.client.apply(opened.sandbox, 'item', query, prices);
    expect(body.counts).toEqual({ ...UNCHANGED, update: 1, unchanged: 0 });
    const after = (await readItems()).find(({ legacy_item_id }) => legacy_item_id === -7);
    expect(after).toEqual({ ...before, custom_data: { ...before.custom_data, price: '750' } });
    const cleared = prices.replace('750', '');
    await opened.client.apply(opened.sandbox, 'item', query, cleared);
    expect((await readItems()).find(({ legacy_item_id }) => legacy_item_id === -7)).toEqual(before);
  });

  test('of the last applied file are used again for the same kind', async () => {
    const query = { format: 'csv', columns: JSON.stringify(columns) };
    await opened.client.apply(opened.sandbox, 'item', query, prices);
    const auto = { format: 'csv', columns: 'auto' };
    const plan = await opened.client.plan(opened.sandbox, 'item', auto, `${prices}-7;1;\n`);
    expect(plan.columns.map(({ field }) => field)).toEqual(Object.values(columns));
    const { sandbox_id: other } = await opened.client.mutate('sandboxes.create', { name: 'Other' });
    const guessed = await opened.client.plan(other, 'item', auto, prices);
    expect(guessed.columns.map(({ field }) => field)).toEqual([
      'legacy_item_id',
      'custom_data.Cost',
      'custom_data.comment',
    ]);
  });

  test('may name a key of custom data without a mapping; others are refused', async () => {
    const file = 'legacy_item_id,custom_data.Price\n-7,5\n';
    const plan = await opened.client.plan(opened.sandbox, 'item', { format: 'csv' }, file);
    expect(plan.counts.update).toBe(1);
    const strict = await opened.client.plan(opened.sandbox, 'item', { format: 'csv' }, prices);
    expect(strict.errors.map(({ column }) => column)).toEqual(['Old ID', 'Cost', 'comment']);
    const bad = { format: 'csv', columns: '{"Cost":"price"}' };
    const answer = await opened.client.importFile(opened.sandbox, 'item', bad, prices);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0]).toMatchObject({ loc: ['query', 'columns', 'Cost'] });
  });

  test('may have a name that the database cannot store', async () => {
    const file = 'name,item_type,a\0,b\nPin,unit,x,\n';
    const query = { format: 'csv', columns: JSON.stringify({ 'a\0': null, b: 'custom_data.b' }) };
    const { status, body } = await opened.client.apply(opened.sandbox, 'item', query, file);
    expect([status, body.counts.create]).toEqual([200, 1]);
    const auto = await opened.client.plan(
      opened.sandbox,
      'item',
      { format: 'csv', columns: 'auto' },
      file,
    );
    expect(auto.errors.map(({ column }) => column)).toEqual(['a\0']);
    const line = '{"name":"Nail","item_type":"unit","\\ud800":"x"}';
    const lines = await opened.client.plan(opened.sandbox, 'item', { columns: 'auto' }, line);
    expect(lines.error_count).toBe(1);
  });

  test('that receive the same field are refused', async () => {
    const query = { format: 'csv', columns: '{"Cost":"name"}' };
    const plan = await opened.client.plan(opened.sandbox, 'item', query, 'name,Cost\na,b\n');
    expect(plan.errors).toEqual([{ row: 1, column: 'Cost', msg: 'The column occurs twice' }]);
  });
});

describe('a row with a legacy id and without an id', () => {
  test('restores the deleted record that has it', async () => {
    const [item] = (await readItems()).filter(({ legacy_item_id }) => legacy_item_id === -7);
    const { item_id } = item;
    await opened.client.mutate('items.delete', {
      sandbox_id: opened.sandbox,
      item_id,
      expected_version: 1,
    });
    const file = 'legacy_item_id,name\n-7,Old sword\n';
    const { body } = await opened.client.apply(opened.sandbox, 'item', { format: 'csv' }, file);
    expect(body.counts).toEqual({ ...UNCHANGED, restore: 1, unchanged: 0 });
    expect((await readItems()).find((each) => each.item_id === item_id)).toMatchObject({
      name: 'Old sword',
    });
  });

  test('is refused when an earlier row has the same record', async () => {
    const file = 'legacy_item_id,name,item_type\n-7,A,unit\n-7,B,unit\n9,C,unit\n9,D,unit\n';
    const plan = await opened.client.plan(opened.sandbox, 'item', { format: 'csv' }, file);
    expect(plan.errors).toEqual([
      { row: 3, column: 'legacy_item_id', msg: 'Row 2 has the same record' },
      { row: 5, column: 'legacy_item_id', msg: 'Row 4 has the same record' },
    ]);
  });
});

test('groups all problems with counts that add up, and lists them in parts of a thousand', async () => {
  const rows = Array.from(
    { length: 1_500 },
    (_, at) => `Item ${at},${at % 3 === 0 ? 'sword' : 'unit'},x`,
  );
  const file = ['name,item_type,level_xp_table_id', ...rows].join('\n');
  const read = (errors_from: number) =>
    opened.client.plan(opened.sandbox, 'item', { format: 'csv', errors_from }, file);
  const plan = await read(0);
  expect(plan.error_count).toBe(2_000);
  expect(plan.error_groups).toEqual([
    expect.objectContaining({ column: 'level_xp_table_id', count: 1_500, rows: expect.any(Array) }),
    expect.objectContaining({ column: 'item_type', count: 500, rows: expect.any(Array) }),
  ]);
  const rest = await read(1_000);
  expect([...plan.errors, ...rest.errors]).toHaveLength(2_000);
  expect(rest.errors.at(-1)).toMatchObject({ row: 1_501, column: 'level_xp_table_id' });
});

test('warns of an Xp table that does not exist or is deleted', async () => {
  const { xp_id } = JSON.parse(await opened.exportText('xp'));
  const missing = '00000000-0000-4000-8000-000000000001';
  const file = ['A', 'B'].map((name, at) => `${name},unit,${[xp_id, missing][at]}`);
  const csv = ['name,item_type,level_xp_table_id', ...file].join('\n');
  const plan = () => opened.client.plan(opened.sandbox, 'item', { format: 'csv' }, csv);
  const warning = { column: 'level_xp_table_id', msg: expect.stringContaining(missing) };
  expect((await plan()).warnings).toEqual([{ row: 3, ...warning }]);
  const table = { sandbox_id: opened.sandbox, xp_id, expected_version: 1 };
  await opened.client.mutate('xp.delete', table);
  expect((await plan()).warnings.map(({ row }) => row)).toEqual([2, 3]);
});
