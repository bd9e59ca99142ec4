import { PIECE_BYTES } from './archive-format.ts';

const NEWLINE = 0x0a;

/**
 * Cuts the text format of COPY into pieces of whole rows. A newline ends a row, always: one inside a value is written as
 * a backslash and the letter n.
 */
export async function* splitRows(
  source: AsyncIterable<Buffer>,
  pieceBytes = PIECE_BYTES,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of source) {
    const end = part.lastIndexOf(NEWLINE) + 1;
    if (bytes + part.length < pieceBytes || end === 0) {
      parts.push(part);
      bytes += part.length;
      continue;
    }
    yield Buffer.concat([...parts, part.subarray(0, end)]);
    parts = [part.subarray(end)];
    bytes = part.length - end;
  }
  if (bytes > 0) yield Buffer.concat(parts);
}
