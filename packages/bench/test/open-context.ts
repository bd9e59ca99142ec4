// What the benchmarks are given when a test runs them: a PostgreSQL, a load generator and a folder of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchContext } from '../src/benchmarks/bench-context.ts';
import { startLoadGenerator } from '../src/load/load-job.ts';
import type { Plan } from '../src/options.ts';
import { startPostgres } from '../src/postgres/start-postgres.ts';
import { ReportWriter } from '../src/results/report.ts';

const machine = { cpu: 'Test', cpus: 1, memoryGiB: 1, system: 'test', node: process.version };

export const openContext = async (plan: Plan): Promise<BenchContext> => ({
  plan,
  postgres: await startPostgres(),
  load: startLoadGenerator(),
  results: new ReportWriter({
    measuredAt: '',
    mode: 'quick',
    machine,
    versions: {},
    sizes: {
      versions: plan.history.sizes,
      memoryJoins: plan.memoryJoins,
      liveSessions: plan.liveSessions,
    },
  }),
  say: () => {},
  secret: 'the secret that only tests sign with',
  expiresAt: Math.floor(Date.now() / 1_000) + 600,
  scratch: await mkdtemp(join(tmpdir(), 'muster-bench-test-')),
  checkTime: () => {},
});

export const closeContext = async ({ load, postgres, scratch }: BenchContext): Promise<void> => {
  try {
    await load.stop();
    await postgres.stop();
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};
