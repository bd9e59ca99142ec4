// The histories: each kind of page by one reader, at both sizes, in rounds that take turns.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HistorySize } from '../history/history-data.ts';
import {
  countItemVersions,
  createHistory,
  RECORDS_PER_RARE_WORD,
  SANDBOX_ID,
  toHistorySize,
  VERSIONS_PER_RECORD,
  versionIdOf,
} from '../history/history-data.ts';
import type { Page, PageName } from '../history/history-pages.ts';
import {
  deepPositions,
  listPages,
  PAGE_SIZE,
  PAGES,
  signReaderToken,
} from '../history/history-pages.ts';
import { writeGet } from '../requests/join-requests.ts';
import { countInWords } from '../results/statistics.ts';
import type { ServerProcess } from '../start-server.ts';
import { musterProgram, PRINT_CURSORS, startServerProcess } from '../start-server.ts';
import type { BenchContext } from './bench-context.ts';
import { rotate } from './bench-context.ts';
import { addCpu, addLatency, checkAll200, measureLoad } from './measure-load.ts';

/** The service on a history of one size. */
export type History = {
  variant: string;
  size: HistorySize;
  server: Pick<ServerProcess, 'pid' | 'port' | 'stop'>;
  pages: Record<PageName, readonly Page[]>;
};

export const measureHistories = async (context: BenchContext): Promise<void> => {
  const { small, large } = context.plan.history.sizes;
  const started: History[] = [];
  try {
    for (const versions of [small, large]) {
      context.checkTime();
      started.push(await startHistory(context, toHistorySize(versions)));
    }
    for (const history of started) await checkPages(context, history);
    await measurePages(context, started);
  } finally {
    await Promise.all(started.map(({ server }) => server.stop()));
  }
};

const startHistory = async (context: BenchContext, size: HistorySize): Promise<History> => {
  const { postgres, secret, scratch, say } = context;
  const database = `bench_history_${size.versions}`;
  say(`Making ${countInWords(size.versions)} versions …`);
  await createHistory(postgres, database, size);
  const dataDir = join(scratch, database);
  const program = musterProgram({ databaseUrl: postgres.urlOf(database), secret, dataDir });
  return {
    variant: `muster, ${countInWords(size.versions)}`,
    size,
    server: await startServerProcess(program),
    pages: listPages(size, await printCursors(size)),
  };
};

/** What a walk would have been given at the deep positions; walking there would take longer than all benchmarks. */
const printCursors = async (size: HistorySize): Promise<string[]> => {
  const numbers = [size.versions, countItemVersions(size), ...deepPositions(size)].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, [
    PRINT_CURSORS,
    SANDBOX_ID,
    ...numbers,
  ]);
  return stdout.trim().split('\n');
};

const measurePages = async (context: BenchContext, histories: readonly History[]) => {
  const { plan, say } = context;
  for (const page of PAGES) {
    // One page each, unmeasured: the first reads the disk and compiles.
    for (const history of histories) await readPages(context, history, page, 0.2);
    for (let round = 0; round < plan.rounds; round += 1) {
      context.checkTime();
      say(`history/${page}, round ${round + 1} of ${plan.rounds} …`);
      for (const history of rotate(histories, round)) {
        const where = { benchmark: `history/${page}`, variant: history.variant };
        const measured = await readPages(context, history, page, plan.history.pageSeconds);
        addLatency(context, where, measured);
        addCpu(context, where, measured);
        checkAll200(context, where, measured);
      }
    }
  }
};

const readPages = async (
  context: BenchContext,
  { server, pages }: History,
  page: PageName,
  maxSeconds: number,
) => {
  const token = signReaderToken(context);
  const texts = pages[page].map(({ path }) => writeGet(path, token));
  await context.load.prepare({ kind: 'texts', texts });
  return measureLoad(context, server, { connections: 1, maxSeconds });
};

const expectedTotals = (size: HistorySize): Record<PageName, number> => ({
  first: countItemVersions(size),
  deep: countItemVersions(size),
  item: VERSIONS_PER_RECORD,
  name: VERSIONS_PER_RECORD * RECORDS_PER_RARE_WORD,
});

/** Checks the first and the last page of each kind, before anything is measured. */
export const checkPages = async (context: BenchContext, history: History): Promise<void> => {
  const totals = expectedTotals(history.size);
  for (const name of PAGES) {
    const where = { benchmark: `history/${name}`, variant: history.variant };
    const [first, ...others] = history.pages[name];
    for (const page of [first, ...others.slice(-1)]) {
      if (!page) continue;
      const answer = await readPage(context, history, page);
      const { results } = context;
      results.check(where, 'the total is exact', answer?.total === totals[name]);
      results.check(where, 'a page is full', answer?.ids.length === PAGE_SIZE);
      const isExpected = answer?.ids[0] === versionIdOf(page.firstSeq);
      results.check(where, 'the newest comes first', isExpected);
    }
  }
};

/** Null, with a sentence at the terminal, when the response is not a page. */
const readPage = async (context: BenchContext, { variant, server }: History, { path }: Page) => {
  const headers = { authorization: `Bearer ${signReaderToken(context)}` };
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  const text = await response.text();
  if (response.status !== 200) {
    context.say(`! ${variant} answered ${response.status}: ${text.slice(0, 300)}`);
    return null;
  }
  const { page_meta: meta, transactions } = JSON.parse(text) as HistoryPage;
  return { total: meta.total, ids: transactions.map((each) => each.version_id) };
};

type HistoryPage = { page_meta: { total: number }; transactions: { version_id: string }[] };
