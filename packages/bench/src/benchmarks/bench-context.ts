// What every benchmark is given.

import { join } from 'node:path';
import type { LoadGenerator } from '../load/load-job.ts';
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
