import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toHistorySize } from '../history/history-data.ts';
import { spellForOffset } from '../history/history-pages.ts';
import type { Report } from '../results/report.ts';
import { ReportWriter } from '../results/report.ts';
import type { BenchContext } from './bench-context.ts';
import { checkPages } from './check-pages.ts';
import type { HistoryAnswer, HistoryVariant } from './history-variants.ts';

const size = toHistorySize(10_000);
const pages = spellForOffset(size);
const all = Object.values(pages).flat();
const totals = { first: 9_800, deep: 9_800, item: 100, name: 1_000 };

let wrong: Partial<HistoryAnswer> = {};
const asked: string[] = [];

const server = createServer(({ url = '' }, response) => {
  asked.push(url);
  const kind = (['deep', 'item', 'name'] as const).find((name) =>
    pages[name].some(({ path }) => path === url),
  );
  const first = all.find(({ path }) => path === url)?.firstSeq;
  const ids = [`id-${first}`, ...Array(49).fill('another')];
  response.end(JSON.stringify({ total: totals[kind ?? 'first'], ids, ...wrong }));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

const check = async (): Promise<Report['checks']> => {
  const machine = { cpu: 'Test', cpus: 1, memoryGiB: 1, system: 'test', node: 'v24' };
  const sizes = { versions: { small: 1, large: 2 }, sessions: 1, memoryJoins: 1 };
  const results = new ReportWriter({
    ...{ measuredAt: '', mode: 'quick', machine, sizes, versions: {} },
  });
  const context = { results, secret: 'secret', expiresAt: 1, say: () => {} };
  const { port } = server.address() as AddressInfo;
  const variant: HistoryVariant = {
    ...{
      name: 'test',
      pages,
      server: { pid: 0, port, readyMs: 0, readOutput: () => '', stop: async () => {} },
    },
    readAnswer: (body) => body as HistoryAnswer,
    idOf: (seq) => `id-${seq}`,
  };
  await checkPages(context as unknown as BenchContext, variant, size);
  return results.report.checks;
};

test('each kind of page is asked for once or, where there are several, twice', async () => {
  wrong = {};
  asked.length = 0;
  const checks = await check();
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  expect(asked).toHaveLength(1 + 2 + 2 + 2);
  expect(new Set(asked).size).toBe(asked.length);
});

test.each([
  [{ total: 9_799 }, 'the total is exact'],
  [{ ids: Array(50).fill('another') }, 'the newest comes first'],
  [{ ids: [] }, 'a page is full'],
] as const)('a page that says %j fails', async (answer, what) => {
  wrong = answer;
  const failed = (await check()).filter(({ holds }) => !holds);
  expect(failed.filter((each) => each.what === what)).toHaveLength(7);
});
