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

  const megabytes = () => process.memoryUsage.rss() / 1_048_576;

  if (process.argv[1] === 'returned') returnPooledPages(console.error);
  // Longer than from one look to the next.
  let many = makeObjects(200_000);
  await setTimeout(1_500);
  const most = megabytes();
  many = undefined;
  for (let n = 0; n < 40 && megabytes() > most * 0.6; n += 1) await setTimeout(100);
  console.log(megabytes() / most);
`;

/** As the service's: the whole heap is collected often. */
const OPTIONS = ['--max-semi-space-size=16', '--heap-growing-percent=40'];

/** What is resident of the most there was, in the end. */
const partOf = async (pages: 'returned' | 'kept'): Promise<number> => {
  const args = [...OPTIONS, '--input-type=module-typescript', '--eval', PROGRAM, pages];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stderr).toBe('');
  return Number(stdout);
};

/** Tests run on Node.js 22 where the project brings no other. */
const hasMode = Number.parseInt(process.versions.v8, 10) >= 13;

test.runIf(hasMode)(
  'pages of a heap that was larger are returned, though the process is never idle',
  async () => {
    const [returned, kept] = await Promise.all([partOf('returned'), partOf('kept')]);
    expect(returned).toBeLessThan(0.6);
    expect(kept).toBeGreaterThan(0.8);
  },
);
