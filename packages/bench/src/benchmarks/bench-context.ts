// What every benchmark is given.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadGenerator } from '../load/load-job.ts';
import { readCpuSeconds } from '../machine.ts';
import type { Plan } from '../options.ts';
import type { BenchPostgres } from '../postgres/start-postgres.ts';
import type { ReportWriter } from '../results/report.ts';
import type { ServerProcess } from '../start-server.ts';
import { musterProgram, startServerProcess } from '../start-server.ts';

export type BenchContext = {
  plan: Plan;
  postgres: BenchPostgres;
  load: LoadGenerator;
  results: ReportWriter;
  /** Tells the person at the terminal what is being done. */
  say: (sentence: string) => void;
  secret: string;
  /** Seconds since 1970 at which the tokens of the run expire. */
  expiresAt: number;
  /** A folder for files of the run; removed at its end. */
  scratch: string;
  /** Asked between steps: throws when the run is to end. */
  checkTime: () => void;
};

/** Starts what one step needs, and stops it whatever the step does. */
export const using = async <Thing extends { stop(): Promise<void> }, Result>(
  thing: Thing | Promise<Thing>,
  work: (thing: Thing) => Promise<Result>,
): Promise<Result> => {
  const started = await thing;
  try {
    return await work(started);
  } finally {
    await started.stop();
  }
};

type ServiceDetails = {
  /** Of its data; the name of the database otherwise. */
  folder?: string;
  env?: Record<string, string>;
};

/** The service on a database. */
export const withService = <Result>(
  { postgres, secret, scratch }: BenchContext,
  database: string,
  work: (server: ServerProcess) => Promise<Result>,
  { folder = database, env = {} }: ServiceDetails = {},
): Promise<Result> => {
  const settings = { databaseUrl: postgres.urlOf(database), secret };
  const program = musterProgram({ ...settings, dataDir: join(scratch, folder) });
  return using(startServerProcess({ ...program, env: { ...program.env, ...env } }), work);
};

/** The same, beginning with another one in each round: who goes first has the quietest machine. */
export const rotate = <Each>(all: readonly Each[], round: number): Each[] => [
  ...all.slice(round % all.length),
  ...all.slice(0, round % all.length),
];

// Variants that share a machine must cost nothing while another one is asked.

/** For what they still have to do after the last request. */
const REST_MS = 1_000;

const WATCHED_MS = 2_000;

/** Of one processor. */
const MOST_BUSY = 0.05;

type Idle = { name: string; server: Pick<ServerProcess, 'pid'> };

/** Measures variants that receive no requests. Checks nothing where the system does not report the CPU time. */
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
      say(`! ${variant} is busy for ${Math.round(busy * 100)} % of a processor without requests.`);
  }
};
