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

test('fills rows up to the width of the header', async () => {
  const bytes = await write([['name', 'note'], ['Bow']]);
  expect(await readWorkbook('a.xlsx', bytes)).toBe('name,note\nBow,');
});

/** Changes the last entry of the directory, which is at the end of the file. */
const changeEntry = (bytes: ArrayBuffer, change: (view: DataView, entry: number) => void) => {
  const view = new DataView(bytes);
  let entry = bytes.byteLength - 4;
  while (view.getUint32(entry, true) !== 0x02014b50) entry -= 1;
  change(view, entry);
};

const TOO_LARGE = { message: expect.stringContaining('too large when unpacked') };

test('refuses a small workbook that unpacks to a very large one, before it is unpacked', async () => {
  const bytes = await write([['name'], ['Bow']]);
  const unpacked = measureUnpacked(bytes);
  expect(unpacked).toBeGreaterThan(500);
  changeEntry(bytes, (view, entry) => view.setUint32(entry + 24, 3_000_000_000, true));
  await expect(readWorkbook('a.xlsx', bytes)).rejects.toMatchObject(TOO_LARGE);
});

test('refuses a workbook that does not tell the size of its content', async () => {
  const withoutSize = await write([['name'], ['Bow']]);
  changeEntry(withoutSize, (view, entry) => view.setUint32(entry + 24, 0, true));
  await expect(readWorkbook('a.xlsx', withoutSize)).rejects.toMatchObject(TOO_LARGE);
  const behind = await write([['name'], ['Bow']]);
  changeEntry(behind, (view, entry) => {
    view.setUint16(entry + 8, view.getUint16(entry + 8, true) | 8, true);
    view.setUint32(entry + 20, 0, true);
    view.setUint32(entry + 24, 0, true);
  });
  await expect(readWorkbook('a.xlsx', behind)).rejects.toMatchObject(TOO_LARGE);
});
