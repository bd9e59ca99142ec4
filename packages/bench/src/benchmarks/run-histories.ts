// The histories: each page of each variant by one reader, at both sizes, in rounds that take turns.
import { toHistorySize } from '../history/history-data.ts';
import type { PageName } from '../history/history-pages.ts';
import { PAGES, writeGet } from '../history/history-pages.ts';
import { findMeasurement } from '../results/report.ts';
import type { BenchContext } from './bench-context.ts';
import { checkIdle } from './check-idle.ts';
import { checkPages, signReaderToken } from './check-pages.ts';
import type { HistoryVariant, Scale } from './history-variants.ts';
import { startMuster, startOffset, startPayload } from './history-variants.ts';
import { measureLoad } from './measure-load.ts';
import { rotate } from './rotate.ts';

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
        context.results.add(where, 'p50', 'ms', measured.p50Us / 1_000);
        context.results.add(where, 'p99', 'ms', measured.p99Us / 1_000);
        context.results.add(where, 'service CPU', 'µs', measured.serviceUs);
        context.results.add(where, 'database CPU', 'µs', measured.databaseUs);
        context.results.check(
          where,
          'every answer is a 200',
          measured.statuses['200'] === measured.requests,
        );
      }
    }
  }
};

/** Where one page takes longer than a round may, it takes so much longer that two rounds show it. */
const ROUNDS_OF_THE_SLOW = 2;

const isSlow = ({ plan, results }: BenchContext, where: { benchmark: string; variant: string }) => {
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
