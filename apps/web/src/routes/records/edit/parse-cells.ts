// What a spreadsheet puts on the clipboard, as rows of cells. Pure.

/**
 * Lines are rows; tabs separate cells, and where there are none, semicolons, commas or blanks do. Signs that group
 * thousands are dropped, and so is a first row of headings. Null for a single value: that is pasted as text.
 */
export const parseCells = (text: string): string[][] | null => {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
  const separator = chooseSeparator(lines);
  if (!separator && lines.length === 1) return null;
  const rows = lines
    .filter((line) => line.trim() !== '')
    .map((line) => (separator ? line.split(separator) : [line]).map(readCell));
  const [first = []] = rows;
  return rows.length > 1 && !first.some(hasDigit) ? rows.slice(1) : rows;
};

const SEPARATORS = ['\t', ';', /,(?!\d{3}(?:\D|$))\s*|,\s+/, / +/];

const chooseSeparator = (lines: readonly string[]) =>
  SEPARATORS.find((separator) => lines.every((line) => line.trim().split(separator).length > 1));

const hasDigit = (cell: string): boolean => /\d/.test(cell);

/** Blanks, commas, apostrophes between digits group thousands; anything else stays, to be complained about. */
const readCell = (cell: string): string =>
  cell.trim().replace(/(?<=\d)[\s\u00a0\u202f,'’](?=\d{3}(?:\D|$))/g, '');
