// An upload that waits to be parsed. Its bytes are outside of the heap, where the garbage collector does not traverse
// them: parsed, 64 MiB are hundreds of megabytes of small objects. They are copied into blocks, since a small piece
// would keep its whole buffer.
import { createHash } from 'node:crypto';
import { createPacer } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';

export const MAX_FILE_BYTES = 64 * 1_048_576;
const BLOCK_BYTES = 1_048_576;
/** The bytes that are decoded at a time. */
const PIECE_BYTES = 16_384;

export type StoredFile = {
  /** SHA-256 of all bytes, in hexadecimal. */
  digest: string;
  /** All bytes, once. A piece is valid until the next one; bytes are released after reading. */
  read(): Generator<Uint8Array>;
  /** The number of bytes read. */
  position(): number;
  /** Releases unread bytes. */
  drop(): void;
};

/** Takes ownership of the source's pieces. Errors: body_too_large; those of the source. */
export const storeFile = async (source: AsyncIterable<Uint8Array>): Promise<StoredFile> => {
  const hash = createHash('sha256');
  const blocks: Buffer<ArrayBuffer>[] = [];
  let size = 0;
  const add = (piece: Uint8Array) => {
    if (size + piece.byteLength > MAX_FILE_BYTES) throw tooLarge();
    hash.update(piece);
    for (let at = 0; at < piece.byteLength; ) {
      const offset = size % BLOCK_BYTES;
      if (offset === 0) blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
      const part = piece.subarray(at, at + BLOCK_BYTES - offset);
      blocks.at(-1)?.set(part, offset);
      at += part.byteLength;
      size += part.byteLength;
    }
  };
  const pacer = createPacer();
  for await (const piece of source) {
    if (pacer.isDue()) await pacer.rest();
    add(piece);
  }
  let position = 0;
  return {
    digest: hash.digest('hex'),
    position: () => position,
    *read() {
      for (let [block] = blocks; block; [block] = blocks) {
        const end = Math.min(BLOCK_BYTES, size - position);
        for (let at = 0; at < end && blocks[0] === block; at += PIECE_BYTES) {
          const piece = block.subarray(at, Math.min(at + PIECE_BYTES, end));
          position += piece.byteLength;
          yield piece;
        }
        blocks.shift();
      }
    },
    drop: () => void blocks.splice(0),
  };
};

export const tooLarge = () =>
  new ServiceError('body_too_large', { desc: 'The file is larger than 64 MiB.' });
