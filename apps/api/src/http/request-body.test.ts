import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { RequestAbortedError } from './request.ts';
import { parseJsonBody, parseJsonBodyPaced, readBody } from './request-body.ts';

test('the body of a request whose client has left is not waited for', async () => {
  const request = new IncomingMessage(new Socket());
  request.destroy();
  await once(request, 'close');
  await expect(readBody(request)).rejects.toThrow(RequestAbortedError);
});

test('a body that comes in pieces is joined, and the memory of the pieces is given back', async () => {
  const request = new IncomingMessage(new Socket());
  const pieces = ['a', 'b', 'c'].map((letter) => Buffer.alloc(20_000, letter));
  const reading = readBody(request);
  for (const piece of [...pieces, null]) request.push(piece);
  const body = await reading;
  expect(
    body.equals(Buffer.from('a'.repeat(20_000) + 'b'.repeat(20_000) + 'c'.repeat(20_000))),
  ).toBe(true);
  expect(pieces.map(({ length }) => length)).toEqual([0, 0, 0]);
});

test('a large body leaves most of the time to everything else', async () => {
  const bytes = Buffer.from(`[${'{"a":1},'.repeat(60_000)}{}]`);
  const atOnceMs = [1, 2, 3].map(() => {
    const startedAt = performance.now();
    parseJsonBody(bytes, 'application/json');
    return performance.now() - startedAt;
  });
  const startedAt = performance.now();
  const { value } = await parseJsonBodyPaced(bytes, 'application/json');
  // Without rests it takes no more than twice as long.
  expect(performance.now() - startedAt).toBeGreaterThan(3 * Math.min(...atOnceMs));
  expect(value).toHaveLength(60_001);
});
