import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchContext } from '../benchmarks/bench-context.ts';
import type { History } from '../benchmarks/run-histories.ts';
import { checkPages } from '../benchmarks/run-histories.ts';
import type { Report } from '../results/report.ts';
import { ReportWriter } from '../results/report.ts';
import {
  itemBefore,
  newestOf,
  newestOfWord,
  RARE_WORDS,
  toHistorySize,
  versionIdOf,
} from './history-data.ts';
import { deepPositions, listPages } from './history-pages.ts';

const size = toHistorySize(10_000);
const cursors = deepPositions(size).map((position) => `cursor-${position}`);

test('deep pages lie in the middle, and differ', () => {
  const positions = deepPositions(size);
  expect(new Set(positions).size).toBe(100);
  for (const position of positions) expect(Math.abs(position - 5_000)).toBeLessThan(500);
});

const pages = listPages(size, cursors);
const all = Object.values(pages).flat();
const totals = { first: 9_800, deep: 9_800, item: 100, name: 1_000 };

let wrong: { total?: number; ids?: readonly unknown[] } = {};
const asked: string[] = [];

const server = createServer(({ url = '' }, response) => {
  asked.push(url);
  const kind = (['deep', 'item', 'name'] as const).find((name) =>
    pages[name].some(({ path }) => path === url),
  );
  const first = all.find(({ path }) => path === url)?.firstSeq ?? 0;
  const { total = totals[kind ?? 'first'], ids = [versionIdOf(first), ...Array(49).fill('x')] } =
    wrong;
  const transactions = ids.map((version_id) => ({ version_id }));
  response.end(JSON.stringify({ page_meta: { total }, transactions }));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

const check = async (): Promise<Report['checks']> => {
  const machine = { cpu: 'Test', cpus: 1, memoryGiB: 1, system: 'test', node: 'v24' };
  const sizes = { versions: { small: 1, large: 2 }, memoryJoins: 1, liveSessions: 1 };
  const results = new ReportWriter({
    measuredAt: '',
    mode: 'quick',
    machine,
    sizes,
    versions: {},
  });
  const context = { results, secret: 'secret', expiresAt: 1, say: () => {} };
  const { port } = server.address() as AddressInfo;
  const service = { pid: 0, port, stop: async () => {} };
  const history: History = { variant: 'test', size, server: service, pages };
  await checkPages(context as unknown as BenchContext, history);
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
  [{ ids: Array(50).fill('x') }, 'the newest comes first'],
  [{ ids: [] }, 'a page is full'],
] as const)('a page that says %j fails', async (answer, what) => {
  wrong = answer;
  const failed = (await check()).filter(({ holds }) => !holds);
  expect(failed.filter((each) => each.what === what)).toHaveLength(7);
});

/** As `history-data.ts` makes them in SQL: edit after edit goes round the records. */
const versions = Array.from({ length: size.versions }, (_, index) => ({
  seq: index + 1,
  record: (index % size.records) + 1,
}));
const items = versions.filter(({ record }) => record % 50 !== 0).reverse();

test('a walk continues with the newest Item before its cursor', () => {
  for (const place of [size.versions + 1, 5_002, 5_001, 5_000, 4_999]) {
    expect(itemBefore(place)).toBe(items.find(({ seq }) => seq < place)?.seq);
  }
});

test('the newest version of a record or of a word is the last of its edits', () => {
  expect(newestOf(size, 7)).toBe(items.find(({ record }) => record === 7)?.seq);
  for (const index of RARE_WORDS.keys()) {
    const newest = items.find(({ record }) => record % (size.records / 10) === index + 1);
    expect(newestOfWord(size, index)).toBe(newest?.seq);
  }
});
