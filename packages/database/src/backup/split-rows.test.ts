import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitRows } from './back-up.ts';

test('pieces hold whole rows, and together all of them, however the source was cut', async () => {
  const row = fc.string({ maxLength: 12 }).map((text) => `${text.replaceAll('\n', '\\n')}\n`);
  await fc.assert(
    fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 9 }), async (rows, step) => {
      const text = Buffer.from(rows.join(''));
      const source = async function* () {
        for (let at = 0; at < text.length; at += step) yield text.subarray(at, at + step);
      };
      const pieces: Buffer[] = [];
      for await (const piece of splitRows(source(), 16)) pieces.push(piece);
      expect(Buffer.concat(pieces)).toEqual(text);
      for (const piece of pieces) expect(piece.at(-1)).toBe(0x0a);
      for (const piece of pieces.slice(0, -1))
        expect(piece.length).toBeLessThan(16 + 13 * 4 + step);
    }),
  );
});
