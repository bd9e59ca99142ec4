// One run: PostgreSQL and the load generator are started once, the benchmarks take their turns, all is stopped.
import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { BenchContext } from './benchmarks/bench-context.ts';
import { using } from './benchmarks/bench-context.ts';
import { measureCluster } from './benchmarks/measure-cluster.ts';
import { measureLag } from './benchmarks/measure-lag.ts';
import { measureStartup } from './benchmarks/measure-memory.ts';
import { measureOverload } from './benchmarks/measure-overload.ts';
import { measureSessions } from './benchmarks/measure-sessions.ts';
import { measureWatch } from './benchmarks/measure-watch.ts';
import { measureWebhooks } from './benchmarks/measure-webhooks.ts';
import { measureHistories } from './benchmarks/run-histories.ts';
import { measureJoins } from './benchmarks/run-joins.ts';
import { startLoadGenerator } from './load/load-job.ts';
import { describeMachine } from './machine.ts';
import type { BenchmarkName, Plan } from './options.ts';
import { startPostgres } from './postgres/start-postgres.ts';
import type { Report } from './results/report.ts';
import { ReportWriter } from './results/report.ts';
import { makeScratchFolder, removeAbandonedFolders } from './stopping.ts';

export type RunOptions = {
  plan: Plan;
  only: readonly BenchmarkName[];
  say: (sentence: string) => void;
  dataDir?: string;
  maxMinutes: number;
  /** Called at the start and after each group, however it ended, with all that has been measured so far. */
  keep: (report: Report) => Promise<void>;
};

/** The run has used up its time: what has been measured is kept. */
class OutOfTimeError extends Error {}

const RUNNERS: Record<BenchmarkName, (context: BenchContext) => Promise<void>> = {
  startup: measureStartup,
  join: measureJoins,
  history: measureHistories,
  overload: measureOverload,
  sessions: measureSessions,
  lag: measureLag,
  watch: measureWatch,
  webhooks: measureWebhooks,
  cluster: measureCluster,
};

export const runBenchmarks = async (options: RunOptions): Promise<Report> => {
  await removeAbandonedFolders();
  return using(makeScratchFolder(), ({ path: scratch }) =>
    using(startPostgres(options.dataDir), (postgres) =>
      using(startLoadGenerator(), async (load) => {
        const results = await openReport(options, postgres.version);
        await runAll(options, { ...createContext(options), postgres, load, results, scratch });
        return results.report;
      }),
    ),
  );
};

/** The type of tmpfs in `statfs` of Linux. */
const TMPFS = 0x01021994;

const openReport = async ({ plan, only, dataDir, keep }: RunOptions, postgresVersion: string) => {
  const results = new ReportWriter({
    measuredAt: new Date().toISOString(),
    mode: plan.mode,
    groups: only,
    sizes: {
      versions: plan.history.sizes,
      memoryJoins: plan.memoryJoins,
      liveSessions: plan.liveSessions,
    },
    machine: await describeMachine(),
    versions: { PostgreSQL: postgresVersion },
  });
  const { type } = await statfs(dataDir ?? tmpdir());
  if (type === TMPFS) results.note(IN_MEMORY);
  // A file that cannot be written ends the run before it measures anything.
  await keep(results.report);
  return results;
};

const IN_MEMORY =
  'The databases lay in memory (tmpfs): no commit waited for a disk. With --data-dir or TMPDIR they lie elsewhere.';

const createContext = ({ plan, say, maxMinutes }: RunOptions) => {
  const deadline = performance.now() + maxMinutes * 60_000;
  return {
    plan,
    say,
    secret: randomBytes(32).toString('hex'),
    expiresAt: Math.floor(Date.now() / 1_000) + 24 * 60 * 60,
    checkTime: () => {
      if (performance.now() > deadline) throw new OutOfTimeError();
    },
  };
};

const runAll = async (
  { only, maxMinutes, keep }: RunOptions,
  context: BenchContext,
): Promise<void> => {
  for (const name of only) {
    try {
      await RUNNERS[name](context);
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
      context.results.note(`The run was stopped after ${maxMinutes} minutes, in the part ${name}.`);
      return;
    } finally {
      await keep(context.results.report);
    }
  }
};
