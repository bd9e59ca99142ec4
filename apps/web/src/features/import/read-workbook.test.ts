import { writeXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { measureUnpacked, readWorkbook } from './read-workbook.ts';

type Rows = (string | number | boolean | Date | null)[][];

const write = async (rows: Rows): Promise<ArrayBuffer> => {
  const bytes = await writeXlsx({ sheets: [{ name: 'Items', rows }] });
  return Uint8Array.from(bytes).buffer;
};

test('reads the first sheet of a workbook as CSV, with the rows of the spreadsheet', async () => {
  const bytes = await write([
    ['name', 'price', 'note'],
    ['Iron, "Sword"', 0.1, 'two\nlines'],
    [],
    ['Bow', 500, true],
    ['Épée', null, new Date('2026-11-27T00:00:00Z')],
  ]);
  expect((await readWorkbook('a.xlsx', bytes)).split('\n')).toEqual([
    'name,price,note',
    '"Iron, ""Sword""",0.1,"two',
    'lines"',
    '',
    'Bow,500,true',
    'Épée,,2026-11-27',
  ]);
});

test('refuses a file that is no workbook', async () => {
  const bytes = Uint8Array.from(Buffer.from('name,item_type')).buffer;
  await expect(readWorkbook('a.xlsx', bytes)).rejects.toMatchObject({
    message: expect.stringContaining('a.xlsx cannot be read as an Excel workbook'),
  });
});

test('refuses a small workbook that unpacks to a very large one, before it is unpacked', async () => {
  const bytes = await write([['name'], ['Bow']]);
  const unpacked = measureUnpacked(bytes);
  expect(unpacked).toBeGreaterThan(500);
  const view = new DataView(bytes);
  let entry = bytes.byteLength - 4;
  while (view.getUint32(entry, true) !== 0x02014b50) entry -= 1;
  view.setUint32(entry + 24, 3_000_000_000, true);
  await expect(readWorkbook('a.xlsx', bytes)).rejects.toMatchObject({
    message: expect.stringContaining('too large when unpacked'),
  });
});
