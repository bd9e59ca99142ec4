import { expect, test } from 'vitest';
import { ITEM, recordColumns, XP } from '../records/record.ts';
import { createFileColumns } from './file-columns.ts';
import type { FileRow } from './file-rows.ts';
import { MAX_ROW_LENGTH, readFile } from './file-rows.ts';
import type { FileFormat } from './row-writer.ts';
import { createRowWriter } from './row-writer.ts';

const collect = async <T>(entries: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
};

/** In chunks that split lines, cells and characters. */
async function* inChunks(content: string | Uint8Array, size = 3): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = async (
  format: FileFormat,
  content: string | Uint8Array,
  kind: typeof ITEM | typeof XP = ITEM,
) => collect(readFile(format, inChunks(content), createFileColumns(kind)).entries);

const SWORD = {
  item_id: '0196b8a0-0000-7000-8000-000000000001',
  legacy_item_id: -7,
  name: '=Схватка "quoted", with\nlines',
  description: '',
  item_type: 'unit',
  tags: ['a,b', "'"],
  custom_data: { 'key "q"': 'line\r\nbreak', emoji: '🗡' },
};

test.each(['csv', 'ndjson'] as const)('%s: reads what was written', async (format) => {
  const writer = createRowWriter(format, recordColumns(ITEM));
  const written = [SWORD, { ...SWORD, name: 'a\nb', description: 'a\rb' }];
  const rows = (await read(format, writer.begin() + writer.write(written))) as FileRow[];
  const first = format === 'csv' ? 2 : 1;
  expect(rows.map(({ row }) => row)).toEqual([first, first + 1]);
  const present = rows.map(({ fields }) =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  );
  expect(present).toEqual(written);
});

test('csv: accepts columns in any order, all line ends, and a byte order mark', async () => {
  const found = await read(
    'csv',
    '\uFEFFname,xp_thresholds,xp_id\nLevels,"[{""level"":1,""xp"":0}]",\r\n',
    XP,
  );
  expect(found).toEqual([
    { row: 2, fields: { name: 'Levels', xp_thresholds: [{ level: 1, xp: 0 }], xp_id: null } },
  ]);
});

test('csv: counts rows like a spreadsheet, including lines within cells and empty lines', async () => {
  const found = await read('csv', 'name,item_type\n"a\nb",unit\n\nc,unit\n');
  expect(found.map(({ row }) => row)).toEqual([2, 4]);
});

test('csv: refuses unknown and repeated columns at the header', async () => {
  const found = await read('csv', 'name,naem,name\na,b,c\n');
  expect(found).toEqual([
    { row: 1, column: 'naem', msg: expect.stringContaining('item_id, legacy_item_id, name') },
    { row: 1, column: 'name', msg: 'The column occurs twice' },
  ]);
});

test('csv: reports the row and the column of a fault, and continues', async () => {
  const found = await read('csv', 'name,tags\na,[\nb\nc,[]\n');
  expect(found).toEqual([
    { row: 2, column: 'tags', msg: 'Must be JSON' },
    { row: 3, msg: 'Has 1 cells where the header has 2' },
    { row: 4, fields: { name: 'c', tags: [] } },
  ]);
});

test('csv: reports an unclosed quote at its row', async () => {
  const found = await read('csv', 'name\na\n"b\n');
  expect(found.at(-1)).toEqual({ row: 3, msg: expect.stringMatching(/^Is not CSV: /) });
});

test('csv: reports an empty file as a missing header', async () => {
  expect(await read('csv', '')).toEqual([{ row: 1, msg: 'The file has no header' }]);
});

test('ndjson: reports the lines that are no JSON object, and continues', async () => {
  expect(await read('ndjson', '{"name":"a"}\r\n\nx\n[]\nnull\n{"name":"b"}')).toEqual([
    { row: 1, fields: { name: 'a' } },
    { row: 3, msg: 'Must be JSON' },
    { row: 4, msg: 'Must be a JSON object' },
    { row: 5, msg: 'Must be a JSON object' },
    { row: 6, fields: { name: 'b' } },
  ]);
});

test('csv: reports only some of very many unknown columns', async () => {
  const names = Array.from({ length: 120_000 }, (_, index) => `c${index}`);
  const problems = await read('csv', `${names.join(',')}\nx`);
  expect(problems).toHaveLength(65);
  expect(problems.at(-1)).toEqual({ row: 1, msg: expect.stringContaining('reading stopped') });
});

test('csv: stops reading at a row with too many cells', async () => {
  const commas = ','.repeat(10_000);
  const quoted = `"${commas}""${commas}"`;
  expect(await read('csv', `name,tags\r\n${quoted},a\n\nb${commas}\nc,d`)).toEqual([
    { row: 2, fields: { name: `${commas}"${commas}`, tags: ['a'] } },
    { row: 4, fields: { name: 'b', tags: null } },
    { row: 4, msg: 'Has more than 128 cells; reading stopped here' },
  ]);
});

test('ndjson: reports a row with too many fields once, and reads the next one', async () => {
  const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, 1]));
  expect(await read('ndjson', `${JSON.stringify(wide)}\n{"name":"b"}`)).toEqual([
    { row: 1, msg: 'Has more than 64 fields' },
    { row: 2, fields: { name: 'b' } },
  ]);
});

test('limits the nesting of a row or cell of JSON to a thousand levels, and reads the next row', async () => {
  const nest = (levels: number) =>
    `${'['.repeat(levels)}${' '.repeat(65_536)}${']'.repeat(levels)}`;
  const lines = [999, 1_000].map((levels) => `{"x":${nest(levels)}}`);
  const tooDeep = { row: 2, msg: 'Must be JSON' };
  expect((await readAll('ndjson', [...lines, '{}'].join('\n'))).slice(1)).toEqual([
    tooDeep,
    { row: 3, fields: {} },
  ]);
  const cells = [1_000, 1_001].map(nest);
  const rows = await readAll('csv', ['custom_data', ...cells, ''].join('\n'));
  expect(rows.slice(1)).toEqual([{ ...tooDeep, row: 3, column: 'custom_data' }]);
});

test('ndjson: accepts a line in pieces of any size', async () => {
  async function* pieces() {
    for (const byte of Buffer.from('{"name":"é"}\r\n\n{"name":"b"}\n{"name":"c"}')) {
      yield Buffer.from([byte]);
    }
  }
  const { entries } = readFile('ndjson', pieces(), createFileColumns(ITEM));
  expect(await collect(entries)).toEqual([
    { row: 1, fields: { name: 'é' } },
    { row: 3, fields: { name: 'b' } },
    { row: 4, fields: { name: 'c' } },
  ]);
});

test.each(['csv', 'ndjson'] as const)(
  '%s: stops reading at a row without an end',
  async (format) => {
    async function* endless() {
      yield Buffer.from(format === 'csv' ? 'name\n' : '{"name":"a"}\n');
      for (;;) yield Buffer.alloc(65_536, 'x');
    }
    const { entries } = readFile(format, endless(), createFileColumns(ITEM));
    expect((await collect(entries)).at(-1)).toEqual({
      row: 2,
      msg: expect.stringContaining(String(MAX_ROW_LENGTH)),
    });
  },
);

test.each([
  ['ten NDJSON rows of 230,000 unknown fields', 'ndjson', () => wideRows(10, 230_000), 4_096],
  ['an NDJSON line of 2 MB byte by byte', 'ndjson', () => 'x'.repeat(2_000_000), 1],
  ['a CSV row of 2 MB byte by byte', 'csv', () => `name\n${'x'.repeat(2_000_000)}`, 1],
] as const)(
  'reads %s only up to the longest allowed row',
  async (_, format, compose, pieceBytes) => {
    const bytes = Buffer.from(compose());
    let taken = 0;
    async function* pieces() {
      for (; taken < bytes.length; taken += pieceBytes) {
        yield bytes.subarray(taken, taken + pieceBytes);
      }
    }
    const { entries } = readFile(format, pieces(), createFileColumns(ITEM));
    expect(await collect(entries)).toEqual([
      { row: format === 'csv' ? 2 : 1, msg: expect.stringContaining(String(MAX_ROW_LENGTH)) },
    ]);
    // Includes what streams have buffered.
    expect(taken).toBeLessThan(MAX_ROW_LENGTH + 65_536);
  },
);

const wideRows = (rows: number, fields: number): string => {
  const wide = Object.fromEntries(Array.from({ length: fields }, (_, index) => [`k${index}`, 1]));
  return `${JSON.stringify(wide)}\n`.repeat(rows);
};

test.each(['csv', 'ndjson'] as const)('%s: refuses invalid UTF-8', async (format) => {
  const content = Buffer.concat([Buffer.from('name\nabc'), Buffer.from([0xc3, 0x28])]);
  await expect(read(format, content)).rejects.toMatchObject({ code: 'input_invalid' });
  const cut = Buffer.from('name\nabcé').subarray(0, -1);
  await expect(read(format, cut)).rejects.toMatchObject({ code: 'input_invalid' });
});

test.each(['csv', 'ndjson'] as const)('%s: reads UTF-16 with a byte order mark', async (format) => {
  const text = format === 'csv' ? 'name\nВзрыв é\n' : '{"name":"Взрыв é"}\n';
  const little = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const expected = [{ row: format === 'csv' ? 2 : 1, fields: { name: 'Взрыв é' } }];
  expect(await read(format, little)).toEqual(expected);
  expect(await read(format, Buffer.from(little).swap16())).toEqual(expected);
});

test.each([
  ['semicolons', ';'],
  ['tabs', '\t'],
])('csv: reads cells that are separated by %s', async (_, separator) => {
  const lines = [
    ['name', 'tags', 'description'],
    ['Schwert, groß', '"a;b"', '"one\ttwo"'],
    ['Bogen', '', 'x'],
  ];
  const text = lines.map((cells) => `${cells.join(separator)}\r\n`).join('');
  const expected = [
    { row: 2, fields: { name: 'Schwert, groß', tags: ['a', 'b'], description: 'one\ttwo' } },
    { row: 3, fields: { name: 'Bogen', tags: null, description: 'x' } },
  ];
  expect(await read('csv', text)).toEqual(expected);
  // Excel's "Unicode Text".
  expect(await read('csv', Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual(expected);
  const wide = `name${`${separator}x`.repeat(200)}`;
  expect((await read('csv', wide)).at(-1)).toMatchObject({ msg: /reading stopped here/ });
});

test.each([
  ['UTF-32LE', Buffer.from(`${'\uFEFFname\nx\n'.split('').join('\0')}\0`, 'utf16le')],
  ['UTF-32BE', Buffer.from(`\0${'\uFEFFname\nx\n'.split('').join('\0')}`, 'utf16le').swap16()],
  ['Windows-1252', Buffer.from('name\ncaf\xe9\n', 'latin1')],
  ['UTF-16LE without a mark', Buffer.from('name\ncafé\n', 'utf16le')],
  ['UTF-16BE without a mark', Buffer.from('name\ncafé\n', 'utf16le').swap16()],
  ['half of a UTF-16 unit', Buffer.from([0xff, 0xfe, 0x61])],
])('names the remedy for %s', async (_, content) => {
  await expect(read('csv', content)).rejects.toThrow(/not UTF-8. Save it as UTF-8/);
});

test.each(['', 'x'])('reads a file of less than two bytes: "%s"', async (text) => {
  expect(await read('csv', text)).toHaveLength(1);
});

test('csv: begins with a byte order mark, so that spreadsheets read it as UTF-8', () => {
  const columns = recordColumns(ITEM);
  expect(createRowWriter('csv', columns).begin()).toMatch(/^\uFEFFitem_id,/);
  expect(createRowWriter('ndjson', columns).begin()).toBe('');
});

const readAll = async (format: FileFormat, ...chunks: string[]) => {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const rows: unknown[] = [];
  for await (const row of readFile(format, bytes(), createFileColumns(ITEM)).entries)
    rows.push(row);
  return rows;
};

test('matches headers case-insensitively, and reads lists as "a; b" or as JSON', async () => {
  const rows = await readAll('csv', 'Name, TAGS\nAxe,melee; rare\nBow,"[""a;b""]"\nNet,');
  expect(rows).toEqual([
    { row: 2, fields: { name: 'Axe', tags: ['melee', 'rare'] } },
    { row: 3, fields: { name: 'Bow', tags: ['a;b'] } },
    { row: 4, fields: { name: 'Net', tags: null } },
  ]);
});

test('reads other JSON in the cell of a list as JSON, and not as one tag', async () => {
  const cells = ['null', '"{""a"":1}"', '"""melee"""', '"{""a"":"', 'nullable'];
  const rows = await readAll('csv', `name,tags\n${cells.map((cell) => `x,${cell}`).join('\n')}`);
  expect(rows).toEqual([
    { row: 2, fields: { name: 'x', tags: null } },
    { row: 3, fields: { name: 'x', tags: { a: 1 } } },
    { row: 4, fields: { name: 'x', tags: 'melee' } },
    { row: 5, column: 'tags', msg: 'Must be JSON' },
    { row: 6, fields: { name: 'x', tags: ['nullable'] } },
  ]);
});

test('reads a plain JSON array element by element, in pieces of any size', async () => {
  const records = [{ name: 'a "],{\\' }, { name: 'b', tags: ['x', '['], custom_data: { k: '}' } }];
  const expected = records.map((fields, at) => ({ row: at + 1, fields }));
  const text = `\n ${JSON.stringify(records, null, 2)}\n`;
  for (let at = 0; at <= text.length; at += 1) {
    expect(await readAll('ndjson', text.slice(0, at), text.slice(at))).toEqual(expected);
  }
  expect(await readAll('ndjson', ...text)).toEqual(expected);
  expect(await readAll('ndjson', '[]')).toEqual([]);
});

test.each([
  ['[{"name":"a"}', { row: 1, msg: 'The array does not end: its ] is missing' }],
  ['[{"name":"a"},', { row: 2, msg: 'The array does not end: its ] is missing' }],
  ['[{"name":"a"},]', { row: 2, msg: 'Must be JSON' }],
  ['[1]', { row: 1, msg: 'Must be a JSON object' }],
  ['[] x', { row: 1, msg: 'There is more after the end of the array' }],
])('refuses the array %s at the fault', async (text, problem) => {
  expect((await readAll('ndjson', text)).at(-1)).toEqual(problem);
});

test.each([',', ';', '\t'])('csv: skips the row that names the separator %j', async (separator) => {
  const lines = [`sep=${separator}`, `name${separator}item_type`, `Sword${separator}unit`];
  expect(await read('csv', lines.join('\r\n'))).toEqual([
    { row: 3, fields: { name: 'Sword', item_type: 'unit' } },
  ]);
});

test('csv: a later row is no setting of the file', async () => {
  expect(await read('csv', 'name,item_type\nsep=,\n')).toEqual([
    { row: 2, fields: { name: 'sep=', item_type: null } },
  ]);
});

test('csv: skips blank rows, and columns without a name at the edges', async () => {
  const lines = [',,,,', ',name,item_type,,', ',Sword,unit,, ', ',,,,', ',Axe,unit,,', ',,,,'];
  expect(await read('csv', lines.join('\n'))).toEqual([
    { row: 3, fields: { name: 'Sword', item_type: 'unit' } },
    { row: 5, fields: { name: 'Axe', item_type: 'unit' } },
  ]);
});

test.each([',Sword,unit,x', 'x,Sword,unit,'])(
  'csv: refuses %j, which has a value in a column without a name',
  async (line) => {
    expect(await read('csv', `,name,item_type,\n${line}\n`)).toEqual([
      { row: 2, msg: 'Has a value in a column without a name' },
    ]);
  },
);

test('csv: a column without a name between others is refused', async () => {
  const [problem] = await read('csv', 'name,,item_type\nSword,,unit\n');
  expect(problem).toMatchObject({ row: 1, column: '' });
});
