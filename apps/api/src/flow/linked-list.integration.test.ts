import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// In a process of its own: the collector sees nothing but the container.
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { LinkedList } from ${JSON.stringify(fileURLToPath(new URL('linked-list.ts', import.meta.url)))};

  const collectYoung = () => gc({ type: 'minor' });
  const oldBytes = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size;

  const containers = {
    list: () => {
      const list = new LinkedList();
      return (value) => {
        const node = list.add(value);
        return () => list.remove(node);
      };
    },
    set: () => {
      const set = new Set();
      return (value) => {
        set.add(value);
        return () => set.delete(value);
      };
    },
  };

  // Growth of the old generation after many values came and went, a few at a time, with young collections only.
  const enter = containers[process.argv[1]]();
  const present = [enter({})];
  // As after an idle hour: the container itself is in the old generation.
  for (let n = 0; n < 4; n += 1) collectYoung();
  const before = oldBytes();
  for (let n = 0; n < 20_000; n += 1) {
    present.push(enter({ numbers: new Array(100).fill(n) }));
    if (present.length > 8) present.shift()();
    if (n % 500 === 0) collectYoung();
  }
  console.log(oldBytes() - before);
`;

/** A heap so large that no full collection begins, which would free what the young ones keep; no guesses of V8 on what grows old. */
const OPTIONS = [
  '--single-threaded-gc',
  '--initial-heap-size=512',
  '--no-allocation-site-pretenuring',
  '--expose-gc',
];

const growthOf = async (container: 'list' | 'set'): Promise<number> => {
  const args = [...OPTIONS, '--input-type=module-typescript', '--eval', PROGRAM, container];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
};

test('the young collector frees removed entries, unlike those of a Set', async () => {
  const [byList, bySet] = await Promise.all([growthOf('list'), growthOf('set')]);
  expect(bySet).toBeGreaterThan(4_000_000);
  expect(byList).toBeLessThan(bySet / 8);
});
