// The histories: each page of each variant by one reader, at both sizes, in rounds that take turns.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HistorySize } from '../history/history-data.ts';
import {
  countItemVersions,
  createHistory,
  fillPayload,
  IS_FILLED,
  payloadVersionIdOf,
  RECORDS_PER_RARE_WORD,
  SANDBOX_ID,
  toHistorySize,
  VERSIONS_PER_RECORD,
  versionIdOf,
} from '../history/history-data.ts';
import type { Page, PageName } from '../history/history-pages.ts';
import {
  deepPositions,
  PAGE_SIZE,
  PAGES,
  signReaderToken,
  spellForMuster,
  spellForOffset,
  spellForPayload,
} from '../history/history-pages.ts';
import { readCpuSeconds } from '../machine.ts';
import type { ServerProcess } from '../peers/start-peers.ts';
import {
  installPeer,
  musterProgram,
  PRINT_CURSORS,
  peerProgram,
  startServerProcess,
} from '../peers/start-peers.ts';
import { writeGet } from '../requests/join-requests.ts';
import type { Where } from '../results/report.ts';
import { findMeasurement } from '../results/report.ts';
import { countInWords } from '../results/statistics.ts';
import type { BenchContext } from './bench-context.ts';
import { checkIdle, rotate } from './bench-context.ts';
import { addCpu, addLatency, countAnswers, measureLoad } from './measure-joins.ts';

export const measureHistories = async (context: BenchContext): Promise<void> => {
  const { small, large } = context.plan.history.sizes;
  const scales: Scale[] = [small, large].map((versions) => ({ size: toHistorySize(versions) }));
  const started: { variant: HistoryVariant; scale: Scale }[] = [];
  try {
    for (const scale of scales) {
      for (const start of [startMuster, startOffset, startPayload]) {
        context.checkTime();
        const variant = await start(context, scale);
        if (variant) started.push({ variant, scale });
      }
    }
    for (const { variant, scale } of started) await checkPages(context, variant, scale.size);
    const variants = started.map(({ variant }) => variant);
    await checkIdle(context, 'history/first', variants);
    await measurePages(context, variants);
  } finally {
    await Promise.all(started.map(({ variant }) => variant.server.stop()));
  }
};

const measurePages = async (context: BenchContext, variants: readonly HistoryVariant[]) => {
  const { plan, say } = context;
  for (const page of PAGES) {
    // One page each, unmeasured: the first reads the disk and compiles.
    for (const variant of variants) await readPages(context, variant, page, 0.2);
    for (let round = 0; round < plan.rounds; round += 1) {
      context.checkTime();
      say(`history/${page}, round ${round + 1} of ${plan.rounds} …`);
      for (const variant of rotate(variants, round)) {
        const where = { benchmark: `history/${page}`, variant: variant.name };
        if (round >= ROUNDS_OF_THE_SLOW && isSlow(context, where)) continue;
        const measured = await readPages(context, variant, page, plan.history.pageSeconds);
        addLatency(context, where, measured);
        addCpu(context, where, measured);
        const isAnswered = countAnswers(measured, 200) === measured.requests;
        context.results.check(where, 'every answer is a 200', isAnswered);
      }
    }
  }
};

/** When one page takes longer than a round may last, two rounds are enough to show it. */
const ROUNDS_OF_THE_SLOW = 2;

const isSlow = ({ plan, results }: BenchContext, where: Where) => {
  const [firstMs = 0] = findMeasurement(results.report, where, 'p50')?.rounds ?? [];
  return firstMs > plan.history.pageSeconds * 1_000;
};

const readPages = async (
  context: BenchContext,
  variant: HistoryVariant,
  page: PageName,
  maxSeconds: number,
) => {
  const token = signReaderToken(context);
  const texts = variant.pages[page].map(({ path }) => writeGet(path, token));
  await context.load.prepare({ kind: 'texts', texts });
  const job = { connections: 1, firstRequest: 0, maxRequests: Number.MAX_SAFE_INTEGER, maxSeconds };
  return measureLoad(context, variant.server, job);
};

// The variants of the histories at one size, on databases of one server.

export type HistoryVariant = {
  name: string;
  server: ServerProcess;
  pages: Record<PageName, readonly Page[]>;
  readAnswer: (body: unknown) => HistoryAnswer;
  /** The id of the version at this place of the sandbox. */
  idOf: (seq: number) => string;
};

/** The total that an answer states, and the ids of the versions in it. */
export type HistoryAnswer = { total: number; ids: readonly string[] };

type Scale = { size: HistorySize };

const labelOf = (name: string, { size }: Scale): string =>
  `${name}, ${countInWords(size.versions)}`;

const databaseOf = ({ size }: Scale): string => `bench_history_${size.versions}`;

type Ours = { page_meta: { total: number }; transactions: { version_id: string }[] };

const readOurs = (body: unknown): HistoryAnswer => {
  const { page_meta: meta, transactions } = body as Ours;
  return { total: meta.total, ids: transactions.map((each) => each.version_id) };
};

type Payloads = { totalDocs: number; docs: { id: string }[] };

const readPayloads = (body: unknown): HistoryAnswer => {
  const { totalDocs, docs } = body as Payloads;
  return { total: totalDocs, ids: docs.map(({ id }) => id) };
};

const OURS = { readAnswer: readOurs, idOf: versionIdOf };

/** How long the versions took to make, indexes and statistics included; nothing where they were there. */
const measureMaking = async (
  { postgres, results }: BenchContext,
  name: string,
  scale: Scale,
  make: () => Promise<boolean>,
): Promise<void> => {
  const where = { benchmark: 'history/data', variant: labelOf(name, scale) };
  const [cpuBefore, startedAt] = [await readCpuSeconds(postgres.pid), performance.now()];
  if (!(await make())) return;
  results.add(where, 'made in', 's', (performance.now() - startedAt) / 1_000);
  const cpuAfter = await readCpuSeconds(postgres.pid);
  const cpu = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  results.add(where, 'database CPU', 's', cpu);
};

const startMuster = async (context: BenchContext, scale: Scale): Promise<HistoryVariant> => {
  const { postgres, secret, scratch, say } = context;
  const database = databaseOf(scale);
  say(`Making ${countInWords(scale.size.versions)} versions …`);
  await measureMaking(context, 'muster', scale, () =>
    createHistory(postgres, database, scale.size),
  );
  const dataDir = join(scratch, `muster-${scale.size.versions}`);
  const program = musterProgram({ databaseUrl: postgres.urlOf(database), secret, dataDir });
  return {
    name: labelOf('muster', scale),
    server: await startServerProcess(program),
    pages: spellForMuster(scale.size, await printCursors(scale.size)),
    ...OURS,
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

/** On the database of the service, with its indexes. */
const startOffset = async (
  { postgres, secret }: BenchContext,
  scale: Scale,
): Promise<HistoryVariant> => {
  const databaseUrl = postgres.urlOf(databaseOf(scale));
  return {
    name: labelOf('offset', scale),
    server: await startServerProcess(peerProgram('offset', { databaseUrl, secret })),
    pages: spellForOffset(scale.size),
    ...OURS,
  };
};

/** Null, with a note in the report, where it cannot be installed. */
const startPayload = async (
  context: BenchContext,
  scale: Scale,
): Promise<HistoryVariant | null> => {
  const { postgres, results, say } = context;
  const peer = await installPeer('payload', say);
  if ('missing' in peer) {
    results.note(peer.missing);
    return null;
  }
  results.report.versions.Payload = peer.version;
  const database = `bench_payload_${scale.size.versions}`;
  const isNew = await postgres.createUnlessComplete(database, IS_FILLED);
  const env = { DATABASE_URL: postgres.urlOf(database), PUSH: isNew ? '1' : '0' };
  const server = await startServerProcess({ file: peer.file, env, patienceMs: 120_000 });
  await measureMaking(context, 'payload', scale, async () => {
    if (!isNew) return false;
    say(`The same ${countInWords(scale.size.versions)} versions for Payload …`);
    await fillPayload(postgres, database, scale.size);
    return true;
  });
  return {
    name: labelOf('payload', scale),
    server,
    pages: spellForPayload(scale.size),
    readAnswer: readPayloads,
    idOf: payloadVersionIdOf,
  };
};

const expectedTotals = (size: HistorySize): Record<PageName, number> => ({
  first: countItemVersions(size),
  deep: countItemVersions(size),
  item: VERSIONS_PER_RECORD,
  name: VERSIONS_PER_RECORD * RECORDS_PER_RARE_WORD,
});

/** Of each kind, the first page and the last one: all of them would take a slow variant minutes. */
export const checkPages = async (
  context: BenchContext,
  variant: HistoryVariant,
  size: HistorySize,
): Promise<void> => {
  const totals = expectedTotals(size);
  for (const name of PAGES) {
    const where = { benchmark: `history/${name}`, variant: variant.name };
    const [first, ...others] = variant.pages[name];
    for (const page of [first, ...others.slice(-1)]) {
      const answer = page && (await readPage(context, variant, page));
      const { results } = context;
      results.check(where, 'the total is exact', answer?.total === totals[name]);
      results.check(where, 'a page is full', answer?.ids.length === PAGE_SIZE);
      const isExpected = page && answer?.ids[0] === variant.idOf(page.firstSeq);
      results.check(where, 'the newest comes first', isExpected === true);
    }
  }
};

/** Null, with a word at the terminal, where the answer is none. */
const readPage = async (
  context: BenchContext,
  { name, server, readAnswer }: HistoryVariant,
  { path }: Page,
): Promise<HistoryAnswer | null> => {
  const headers = { authorization: `Bearer ${signReaderToken(context)}` };
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  const text = await response.text();
  if (response.status === 200) return readAnswer(JSON.parse(text));
  context.say(`! ${name} answered ${response.status}: ${text.slice(0, 300)}`);
  return null;
};
