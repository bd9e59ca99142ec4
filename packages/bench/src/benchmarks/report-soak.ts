// What a soak shows: whether memory, handles and connections stayed, and whether everybody was served.
import type { ReportWriter } from '../results/report.ts';
import type { Point } from '../results/robust-slope.ts';
import { findRobustSlope } from '../results/robust-slope.ts';

const WHERE = { benchmark: 'soak', variant: 'muster' };
/** What a process keeps once it has seen everything is no growth: so much of the time, and two rounds of all requests, do not count. */
const WARM_UP_SHARE = 0.3;
const WARM_UP_ROUNDS = 2;
const TOO_SHORT = 'The soak was too short to tell growth from warming up.';

export type SoakSample = {
  requests: number;
  megabytes: number;
  handles: number;
  connections: number;
};

export type Soak = {
  samples: readonly SoakSample[];
  /** How many, by status. */
  answers: Readonly<Record<string, number>>;
  /** Requests until everything has been asked for once. */
  round: number;
  /** The end of what the service has written. */
  output: string;
};

export const reportSoak = (results: ReportWriter, soak: Soak): void => {
  const { samples, answers } = soak;
  reportProcess(results, samples, WARM_UP_ROUNDS * soak.round);
  const isServed = !Object.keys(answers).some((status) => status.startsWith('5'));
  results.check(WHERE, 'no answer is a 5xx', isServed);
  if (isServed) return;
  results.note(`By status the soak was answered ${JSON.stringify(answers)}.`);
  results.note(`The end of what the service has written: ${soak.output}`);
};

const reportProcess = (
  results: ReportWriter,
  samples: readonly SoakSample[],
  warmUpRequests: number,
): void => {
  const late = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const warm = late.filter(({ requests }) => requests > warmUpRequests);
  if (warm.length < 2) results.note(TOO_SHORT);
  const slope = findRobustSlope(
    warm.map(({ requests, megabytes }): Point => ({ x: requests / 100_000, y: megabytes })),
  );
  const last = samples.at(-1);
  const first = warm[0] ?? late[0];
  results.add(WHERE, 'requests', 'thousand', (last?.requests ?? 0) / 1_000);
  results.add(WHERE, 'memory per 100,000 requests', 'MB', slope);
  results.add(WHERE, 'memory after the warm-up', 'MB', first?.megabytes ?? null);
  results.add(WHERE, 'memory at the end', 'MB', last?.megabytes ?? null);
  const most = (read: (sample: SoakSample) => number) => Math.max(...late.map(read));
  results.check(
    WHERE,
    'no handle is left open',
    most(({ handles }) => handles) <= (first?.handles ?? 0) + SPARE,
  );
  results.check(
    WHERE,
    'connections to the database stay within the pools',
    most(({ connections }) => connections) <= POOLS,
  );
};

/** Connections to the database come and go within their pools. */
const SPARE = 20;
/** Two pools of ten, and one that only asks whether the database is there. */
const POOLS = 21;
