// Variants that share a machine must cost nothing while another one is asked.
import { setTimeout as delay } from 'node:timers/promises';
import { readCpuSeconds } from '../machine/cpu-time.ts';
import type { ReportWriter } from '../results/report.ts';
import type { ServerProcess } from '../variants/start-server-process.ts';
import type { BenchContext } from './bench-context.ts';

/** For what they still have to do after the last request. */
const REST_MS = 1_000;
const WATCHED_MS = 2_000;
/** Of one processor. */
const MOST_BUSY = 0.05;

type Idle = { name: string; server: Pick<ServerProcess, 'pid'> };

/** Watches those whom nobody asks. Where the system does not tell the CPU time, nothing is checked. */
export const checkIdle = async (
  { results, say }: { results: Pick<ReportWriter, 'check'>; say: BenchContext['say'] },
  benchmark: string,
  variants: readonly Idle[],
): Promise<void> => {
  await delay(REST_MS);
  const readAll = () => Promise.all(variants.map(({ server }) => readCpuSeconds(server.pid)));
  const before = await readAll();
  await delay(WATCHED_MS);
  const after = await readAll();
  for (const [at, { name: variant }] of variants.entries()) {
    const [from, to] = [before[at] ?? null, after[at] ?? null];
    if (from === null || to === null) continue;
    const busy = (to - from) / (WATCHED_MS / 1_000);
    results.check({ benchmark, variant }, 'costs nothing while others are asked', busy < MOST_BUSY);
    if (busy >= MOST_BUSY)
      say(`! ${variant} is busy for ${Math.round(busy * 100)} % of a processor while nobody asks.`);
  }
};
