import { expect, test } from 'vitest';
import { BEGIN, END, ReportWriter, replaceGenerated } from './report.ts';
import { judge, listTargets } from './targets.ts';
import { composeMarkdown, formatNumber } from './write-markdown.ts';

const machine = { cpu: 'Test', cpus: 2, memoryGiB: 8, system: 'linux', node: 'v24' };

const sizes = {
  versions: { small: 10_000, large: 100_000 },
  memoryJoins: 4_000,
  liveSessions: 400,
};

const writer = () =>
  new ReportWriter({
    measuredAt: '2026-11-21T00:00:00Z',
    mode: 'full',
    sizes,
    machine,
    versions: {},
  });

const rate = (variant: string, values: number[], target = writer()) => {
  const where = { benchmark: 'join/distinct', variant };
  for (const value of values) target.add(where, 'rate', 'per second', value);
  return target;
};

test('a table shows the median of the rounds with the lowest and the highest', () => {
  const { report } = rate('muster', [9_000, 10_000, 12_345]);
  expect(composeMarkdown(report)).toContain(
    '| variant | rate, per second |\n|---|---|\n| muster | 10,000 (9,000–12,300) |',
  );
});

test('what the load generator used has no column', () => {
  const results = rate('muster', [9_000]);
  const where = { benchmark: 'join/distinct', variant: 'muster' };
  results.add(where, 'load generator busy', '%', 6);
  expect(composeMarkdown(results.report)).toContain('| variant | rate, per second |\n');
});

test('a goal is judged by the median ratio, and one that was not measured is called so', () => {
  const { report } = rate('ceiling', [1_000, 1_000, 2_000], rate('muster', [3_000, 2_000, 2_000]));
  const [overCeiling, hotOverDistinct] = listTargets(sizes, ['join']).map((target) =>
    judge(report, target),
  );
  expect(overCeiling).toMatchObject({ value: { median: 2, low: 1, high: 3 }, holds: true });
  expect(hotOverDistinct).toMatchObject({ value: null, holds: null });
  expect(composeMarkdown(report)).toContain(
    '| join/distinct over the ceiling | 2 (1–3) | ≥ 0.6 | yes |',
  );
});

test('the goals are named after what was measured', () => {
  const markdown = composeMarkdown(writer().report);
  expect(markdown).toContain('| history/name at 100 thousand over 10 thousand |');
  expect(markdown).toContain('| memory after 4 thousand joins over after half of them |');
  expect(markdown).not.toContain('million');
});

test('a run of one group lists no goals of the others', () => {
  const { report } = writer();
  const names = listTargets(sizes, ['startup']).map(({ name }) => name);
  expect(names).toEqual(['ready after an installed start']);
  expect(composeMarkdown({ ...report, groups: ['startup'] })).not.toContain('join/distinct');
});

test('a check names the benchmarks in which it failed', () => {
  const results = rate('muster', [1]);
  const check = (benchmark: string, what: string, holds: boolean) =>
    results.check({ benchmark, variant: 'muster' }, what, holds);
  for (const holds of [true, false]) check('join/distinct', 'seats equal answers 200', holds);
  check('join/hot', 'seats equal answers 200', true);
  check('join/hot', 'a page is full', true);
  const markdown = composeMarkdown(results.report);
  expect(markdown).toContain('| seats equal answers 200 | 2 of 3 | join/distinct |');
  expect(markdown).toContain('3 of 4 checks held. In all runs: a page is full.');
});

test('what was not measured leaves no value', () => {
  const results = writer();
  results.add({ benchmark: 'cost', variant: 'muster' }, 'CPU', 'µs', null);
  expect(results.report.measurements).toEqual([]);
});

test('numbers keep three digits', () => {
  expect([1_234_567, 999.6, 12.345, 0.123_45, Number.NaN].map(formatNumber)).toEqual([
    '1,230,000',
    '1,000',
    '12.3',
    '0.123',
    '–',
  ]);
});

test('the page keeps what people wrote around the generated part', () => {
  const page = `# Title\n\n${BEGIN}\nold\n${END}\n\nMore.\n`;
  expect(replaceGenerated(page, 'new')).toBe(`# Title\n\n${BEGIN}\n\nnew\n\n${END}\n\nMore.\n`);
  expect(() => replaceGenerated('# Title', 'new')).toThrow(BEGIN);
});
