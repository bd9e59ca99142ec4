// Reads NDJSON: one JSON object per line; blank lines are passed over.
import type { FileProblem, FileRow } from './file-row.ts';
import { MAX_ROW_LENGTH } from './file-row.ts';

export async function* readNdjson(
  text: AsyncIterable<string>,
): AsyncGenerator<FileRow | FileProblem> {
  let row = 0;
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      row += 1;
      if (!isBlank(line)) yield readLine(row, line);
    }
    if (rest.length > MAX_ROW_LENGTH) {
      const msg = `The line is longer than ${MAX_ROW_LENGTH} characters; reading stopped here`;
      return yield { row: row + 1, msg };
    }
  }
  if (!isBlank(rest)) yield readLine(row + 1, rest);
}

/** A carriage return alone is the end of a Windows line. */
const isBlank = (line: string): boolean => line.length < 2 && line.trim() === '';

const readLine = (row: number, line: string): FileRow | FileProblem => {
  try {
    const fields: unknown = JSON.parse(line);
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
      return { row, fields: { ...fields } };
    }
  } catch {
    return { row, msg: 'Must be JSON' };
  }
  return { row, msg: 'Must be a JSON object' };
};
