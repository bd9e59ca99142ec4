import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { checkIdle } from './benchmarks/bench-context.ts';
import { readCpuSeconds, readResidentBytes, readStat } from './machine.ts';
import type { Check } from './results/report.ts';

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
  },
);

test('a process that is not there has neither', async () => {
  expect(await readCpuSeconds(2 ** 30)).toBeNull();
  expect(await readResidentBytes(2 ** 30)).toBeNull();
});

const children: ChildProcess[] = [];

const startProgram = (name: string, program: string) => {
  const child = spawn(process.execPath, ['--eval', program], { stdio: 'ignore' });
  children.push(child);
  return { name, server: { pid: child.pid ?? 0 } };
};

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

test('distinguishes a variant that is busy without requests from an idle one', async () => {
  if ((await readCpuSeconds(process.pid)) === null) return;
  const variants = [
    startProgram('resting', 'setInterval(() => {}, 1_000)'),
    startProgram('ticking', 'setInterval(() => { for (let i = 0; i < 1e8; i += 1); }, 1)'),
  ];
  const found: Check[] = [];
  const said: string[] = [];
  const check = (where: { benchmark: string; variant: string }, what: string, holds: boolean) => {
    found.push({ ...where, what, holds });
  };
  await checkIdle({ results: { check }, say: (line) => said.push(line) }, 'join', variants);
  expect(found.map(({ variant, holds }) => [variant, holds])).toEqual([
    ['resting', true],
    ['ticking', false],
  ]);
  expect(said).toEqual([expect.stringMatching(/ticking is busy for \d+ %/)]);
});
