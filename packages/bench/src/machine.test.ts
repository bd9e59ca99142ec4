import { expect, test } from 'vitest';
import { readCpuSeconds, readResidentBytes, readStat } from './machine.ts';

test('a process name with brackets and spaces does not shift the fields', () => {
  const stat = '42 (a) b (c)) S 7 42 42 0 -1 4194560 100 0 0 0 150 50 30 20 20 0 1 0 100 0 0';
  expect(readStat(stat)).toEqual({ parent: 7, own: 2, reapedChildren: 0.5 });
});

test.runIf(process.platform === 'linux')('CPU time grows with work', async () => {
  const before = await readCpuSeconds(process.pid);
  const end = performance.now() + 100;
  while (performance.now() < end) JSON.stringify({ busy: true });
  expect(((await readCpuSeconds(process.pid)) ?? 0) - (before ?? 0)).toBeGreaterThan(0.02);
});

test.runIf(process.platform === 'linux')(
  'resident memory is about what Node.js says it is',
  async () => {
    const bytes = (await readResidentBytes(process.pid)) ?? 0;
    expect(bytes / process.memoryUsage.rss()).toBeCloseTo(1, 0);
    expect(await readResidentBytes(process.pid, 'VmHWM')).toBeGreaterThanOrEqual(bytes);
  },
);

test('a process that is not there has neither', async () => {
  expect(await readCpuSeconds(2 ** 30)).toBeNull();
  expect(await readResidentBytes(2 ** 30)).toBeNull();
});
