import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { readCpuSeconds } from '../machine/cpu-time.ts';
import type { Check } from '../results/report.ts';
import { checkIdle } from './check-idle.ts';

const children: ChildProcess[] = [];

const startProgram = (name: string, program: string) => {
  const child = spawn(process.execPath, ['--eval', program], { stdio: 'ignore' });
  children.push(child);
  return { name, server: { pid: child.pid ?? 0 } };
};

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

test('tells a variant that works for nobody from one that rests', async () => {
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
