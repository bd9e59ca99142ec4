// From the bytes of an upload to its rows.
import { TextDecoder } from 'node:util';
import { ServiceError } from '../errors/service-error.ts';
import type { FileRows } from './file-row.ts';
import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';
import type { Column } from './record-columns.ts';
import type { FileFormat } from './write-rows.ts';

export const MAX_FILE_BYTES = 64 * 1_048_576;

/** Errors while it is read: body_too_large, input_invalid (no UTF-8). */
export const readFile = (
  format: FileFormat,
  bytes: AsyncIterable<Uint8Array>,
  columns: readonly Column[],
): FileRows => {
  const text = decode(bytes);
  return format === 'csv'
    ? { meaning: 'columns', entries: readCsv(text, columns) }
    : { meaning: 'whole', entries: readNdjson(text) };
};

/** A byte order mark is taken off. */
async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > MAX_FILE_BYTES) throw tooLarge();
    yield decodePart(decoder, chunk);
  }
  yield decodePart(decoder);
}

export const tooLarge = () =>
  new ServiceError('body_too_large', { desc: 'The file is larger than 64 MiB.' });

const decodePart = (decoder: TextDecoder, chunk?: Uint8Array): string => {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (cause) {
    throw new ServiceError('input_invalid', { desc: 'The file is not UTF-8.', cause });
  }
};
