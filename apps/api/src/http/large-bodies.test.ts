import { expect, test } from 'vitest';
import { createReadInTurn, LARGE_BODY_BYTES } from './large-bodies.ts';

const large = Buffer.alloc(LARGE_BODY_BYTES + 1);
const small = Buffer.alloc(LARGE_BODY_BYTES);
const SPENT_MS = 8;

/** Notes when each read began and ended. */
const open = () => {
  const readInTurn = createReadInTurn();
  const reads: { from: number; to: number }[] = [];
  const read = () => {
    const from = performance.now();
    while (performance.now() - from < SPENT_MS);
    reads.push({ from, to: performance.now() });
    return reads.length;
  };
  return { readInTurn, reads, read };
};

test('large bodies are read one after the other, with three times as long for others in between', async () => {
  const { readInTurn, reads, read } = open();
  const answers = await Promise.all([1, 2, 3].map(() => readInTurn(large, read)));
  expect(answers).toEqual([1, 2, 3]);
  const rests = reads.slice(1).map(({ from }, index) => from - (reads[index]?.to ?? from));
  // Timers may come a moment early.
  for (const rest of rests) expect(rest).toBeGreaterThan(2.5 * SPENT_MS);
});

test('a small body waits for no large one', async () => {
  const { readInTurn, read } = open();
  const answers: string[] = [];
  const note = (name: string) => () => void answers.push(name);
  await Promise.all([
    readInTurn(large, read).then(note('first')),
    readInTurn(large, read).then(note('second')),
    readInTurn(small, read).then(note('small')),
  ]);
  expect(answers.toSorted()).toEqual(['first', 'second', 'small']);
  expect(answers.at(-1)).toBe('second');
});

test('few wait, the others are told to come back, and later ones are read again', async () => {
  const { readInTurn, read } = open();
  const outcomes = await Promise.all(
    Array.from({ length: 9 }, () =>
      readInTurn(large, read).then(
        () => 'read',
        ({ code }) => code,
      ),
    ),
  );
  expect(outcomes).toEqual([
    ...Array.from({ length: 5 }, () => 'read'),
    ...Array.from({ length: 4 }, () => 'service_overloaded'),
  ]);
  const failing = readInTurn(large, () => {
    throw new Error('unreadable');
  });
  await expect(failing).rejects.toThrow('unreadable');
  expect(await readInTurn(large, read)).toBe(6);
});
