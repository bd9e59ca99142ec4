// The bytes of an upload as text.
import { TextDecoder } from 'node:util';
import { createPacer } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';

export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The text of UTF-8, or of UTF-16 with a byte order mark. Removes the mark. */
export async function* decode(bytes: Bytes): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let begin: Uint8Array = new Uint8Array();
  const pacer = createPacer();
  for await (const chunk of bytes) {
    // Many chunks may contain no complete row, so this is another point to yield.
    if (pacer.isDue()) await pacer.rest();
    if (decoder) {
      yield decodePart(decoder, chunk);
      continue;
    }
    // The first chunks may be shorter than the mark of UTF-32.
    begin = Buffer.concat([begin, chunk]);
    if (begin.length < 4) continue;
    decoder = createDecoder(begin);
    yield decodePart(decoder, begin);
  }
  if (!decoder) {
    decoder = createDecoder(begin);
    yield decodePart(decoder, begin);
  }
  yield decodePart(decoder);
}

const createDecoder = ([first, second, third, fourth]: Uint8Array): TextDecoder => {
  const isUtf32 = first === 0xff && second === 0xfe && third === 0 && fourth === 0;
  if (isUtf32) throw unreadable();
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  // No CSV or JSON begins with U+0000: this is UTF-16 without the mark, or UTF-32.
  if (first === 0 || second === 0) throw unreadable();
  return new TextDecoder('utf-8', { fatal: true });
};

const decodePart = (decoder: TextDecoder, chunk?: Uint8Array): string => {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (cause) {
    throw unreadable(cause);
  }
};

const unreadable = (cause?: unknown) =>
  new ServiceError('input_invalid', {
    desc: 'The file is not UTF-8. Save it as UTF-8 (in Excel: "CSV UTF-8") and upload it again.',
    cause,
  });
