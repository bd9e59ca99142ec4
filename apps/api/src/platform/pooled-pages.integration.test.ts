import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// In a process of its own, that is never idle: objects grow old and are dropped all the time.
const PROGRAM = `
  import { setTimeout } from 'node:timers/promises';
  import { returnPooledPages } from ${JSON.stringify(fileURLToPath(new URL('pooled-pages.ts', import.meta.url)))};

  const makeObjects = (count) =>
    Array.from({ length: count }, (_, n) => ({ numbers: new Array(100).fill(n) }));
  const present = [];
  setInterval(() => {
    present.push(makeObjects(1_000));
    if (present.length > 20) present.shift();
  }, 5).unref();

  if (process.argv[1] === 'returned') returnPooledPages();
  await setTimeout(1_500);
  let many = makeObjects(200_000);
  await setTimeout(100);
  many = undefined;
  await setTimeout(3_000);
  console.log(process.memoryUsage.rss() / 1_048_576);
`;

/** As the service's: the whole heap is collected often. */
const OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=40'];

const megabytesOf = async (pages: 'returned' | 'kept'): Promise<number> => {
  const args = [...OPTIONS, '--input-type=module-typescript', '--eval', PROGRAM, pages];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stderr).toBe('');
  return Number(stdout);
};

test('pages of a heap that was larger are returned, though the process is never idle', async () => {
  const [returned, kept] = await Promise.all([megabytesOf('returned'), megabytesOf('kept')]);
  expect(returned).toBeLessThan(kept * 0.7);
});
