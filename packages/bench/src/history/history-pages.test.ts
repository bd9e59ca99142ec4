import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchContext } from '../benchmarks/bench-context.ts';
import type { HistoryAnswer, HistoryVariant } from '../benchmarks/run-histories.ts';
import { checkPages } from '../benchmarks/run-histories.ts';
import type { Report } from '../results/report.ts';
import { ReportWriter } from '../results/report.ts';
import {
  itemAfterSkipping,
  itemBefore,
  newestOf,
  newestOfWord,
  RARE_WORDS,
  toHistorySize,
} from './history-data.ts';
import {
  deepPositions,
  PAGES,
  spellForMuster,
  spellForOffset,
  spellForPayload,
} from './history-pages.ts';

const size = toHistorySize(10_000);
const cursors = deepPositions(size).map((position) => `cursor-${position}`);

test('every variant is asked for as many pages of each kind', () => {
  const all = [spellForMuster(size, cursors), spellForOffset(size), spellForPayload(size)];
  for (const page of PAGES) {
    const [first, ...others] = all.map((paths) => paths[page].length);
    expect(others).toEqual([first, first]);
  }
});

test('deep pages lie in the middle, and differ', () => {
  const positions = deepPositions(size);
  expect(new Set(positions).size).toBe(100);
  for (const position of positions) expect(Math.abs(position - 5_000)).toBeLessThan(500);
});

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
  const sizes = { versions: { small: 1, large: 2 }, sessions: 1, memoryJoins: 1, liveSessions: 1 };
  const results = new ReportWriter({
    measuredAt: '',
    mode: 'quick',
    machine,
    sizes,
    versions: {},
  });
  const context = { results, secret: 'secret', expiresAt: 1, say: () => {} };
  const { port } = server.address() as AddressInfo;
  const variant: HistoryVariant = {
    name: 'test',
    pages,
    server: { pid: 0, port, readyMs: 0, readOutput: () => '', stop: async () => {} },
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

test('skipping counts Items only', () => {
  for (const skipped of [0, 1, 48, 49, 50, 4_899, 4_900, 4_901]) {
    expect(itemAfterSkipping(size, skipped)).toBe(items[skipped]?.seq);
  }
});

test('the newest version of a record or of a word is the last of its edits', () => {
  expect(newestOf(size, 7)).toBe(items.find(({ record }) => record === 7)?.seq);
  for (const index of RARE_WORDS.keys()) {
    const newest = items.find(({ record }) => record % (size.records / 10) === index + 1);
    expect(newestOfWord(size, index)).toBe(newest?.seq);
  }
});
