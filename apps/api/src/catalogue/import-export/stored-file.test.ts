import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_FILE_BYTES, storeFile } from './stored-file.ts';

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

test.each([
  ['nothing', 0, 1],
  ['one byte', 1, 1],
  ['pieces that end where a block ends', 2 * 1_048_576, 65_536],
  ['pieces across the ends of blocks', 3 * 1_048_576 + 5, 65_537],
  ['pieces of more than a block', 3 * 1_048_576, 2_500_000],
])('returns the same bytes: %s', async (_, size, pieceBytes) => {
  const bytes = randomBytes(size);
  const file = await storeFile(inPieces(bytes, pieceBytes));
  expect(file.digest).toBe(createHash('sha256').update(bytes).digest('hex'));
  const pieces: Uint8Array[] = [];
  for (const piece of file.read()) {
    pieces.push(Uint8Array.from(piece));
    expect(piece.byteLength).toBeLessThanOrEqual(65_536);
    expect(file.position()).toBe(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  }
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
});

test('keeps only the bytes of a piece, and not its larger buffer', async () => {
  async function* pieces() {
    // Like an HTTP parser: a few bytes of a larger socket buffer.
    for (let index = 0; index < 2_000; index += 1)
      yield Buffer.alloc(65_536, index).subarray(0, 64);
  }
  const file = await storeFile(pieces());
  const held = new Set([...file.read()].map(({ buffer }) => buffer));
  expect(held.size).toBe(1);
});

test.each([0, 1, 100])(
  'has nothing left to read once it is dropped after %i pieces',
  async (count) => {
    const file = await storeFile(inPieces(Buffer.alloc(3 * 1_048_576), 65_536));
    const read = file.read();
    for (let taken = 0; taken < count; taken += 1) read.next();
    file.drop();
    expect([...read]).toEqual([]);
  },
);

test('refuses a file that is too large before storing more of it', async () => {
  let taken = 0;
  async function* large() {
    for (;;) {
      taken += 1_048_576;
      yield Buffer.alloc(1_048_576);
    }
  }
  await expect(storeFile(large())).rejects.toMatchObject({ code: 'body_too_large' });
  expect(taken).toBe(MAX_FILE_BYTES + 1_048_576);
});

test('accepts a file of the largest size', async () => {
  async function* largest() {
    for (let size = 0; size < MAX_FILE_BYTES; size += 4_194_304) yield Buffer.alloc(4_194_304, 'x');
  }
  const file = await storeFile(largest());
  let size = 0;
  for (const { byteLength } of file.read()) size += byteLength;
  expect(size).toBe(MAX_FILE_BYTES);
});
