// What every benchmark is given.
import type { LoadGenerator } from '../load/start-load-generator.ts';
import type { Plan } from '../plan.ts';
import type { BenchPostgres } from '../postgres/start-postgres.ts';
import type { ReportWriter } from '../results/report.ts';

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
  /** How long a soak lasts. */
  soakSeconds: number;
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
