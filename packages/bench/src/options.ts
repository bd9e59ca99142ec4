// The command line of npm run bench.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** What a run measures that is not told otherwise. */
export const BENCHMARKS = ['startup', 'join', 'history', 'overload'] as const;
/** Only when they are named: they take long, fill databases of their own, or need Citus. */
const ON_DEMAND = ['sessions', 'lag', 'watch', 'webhooks', 'cluster'] as const;
export type BenchmarkName = (typeof BENCHMARKS)[number] | (typeof ON_DEMAND)[number];
const ALL: readonly BenchmarkName[] = [...BENCHMARKS, ...ON_DEMAND];

export const USAGE = `usage: npm run bench -- [options]

  --quick          small sizes, about a minute: shows that all works, not how fast
  --only NAME      only this group: ${BENCHMARKS.join(', ')};
                   ${ON_DEMAND.join(', ')} are left out otherwise
  --json FILE      where the results go as JSON (default: packages/bench/results/latest.json)
  --no-markdown    leave docs/benchmarks.md as it is; so do --quick and --only
  --data-dir DIR   keep the databases in this folder: the next run finds the versions there
  --max-minutes N  stop with what there is after N minutes (default 30)
  --help           print this`;

/** A mistake in the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const FLAGS = {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  json: { type: 'string', default: 'packages/bench/results/latest.json' },
  'no-markdown': { type: 'boolean', default: false },
  'data-dir': { type: 'string' },
  'max-minutes': { type: 'string', default: '30' },
  help: { type: 'boolean', default: false },
} as const;

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true }).values;
  } catch (error) {
    // Further lines hold advice.
    const [sentence] = String(error instanceof Error ? error.message : error).split('\n');
    throw new UsageError(sentence);
  }
};

/** `--data-dir=$FOLDER` with a variable that is not set would mean the repository itself. */
const refuseEmpty = (flags: ReturnType<typeof parse>): void => {
  for (const [name, value] of Object.entries(flags)) {
    if (typeof value === 'string' && value.trim() === '')
      throw new UsageError(`--${name} needs a value`);
  }
};

/** Paths are relative to `root`. Throws UsageError with a sentence. */
export const readOptions = (args: readonly string[], root: string) => {
  const flags = parse(args);
  refuseEmpty(flags);
  const only = flags.only === undefined ? BENCHMARKS : ALL.filter((name) => flags.only === name);
  if (only.length === 0) throw new UsageError(`--only takes one of ${ALL.join(', ')}`);
  const maxMinutes = Number(flags['max-minutes']);
  if (!(maxMinutes > 0 && Number.isFinite(maxMinutes)))
    throw new UsageError('--max-minutes must be a positive number');
  const dataDir = flags['data-dir'];
  return {
    help: flags.help,
    quick: flags.quick,
    only,
    maxMinutes,
    jsonFile: resolve(root, flags.json),
    writeMarkdown: !flags['no-markdown'] && !flags.quick && flags.only === undefined,
    ...(dataDir !== undefined && { dataDir: resolve(root, dataDir) }),
  };
};

export type BenchOptions = ReturnType<typeof readOptions>;

// How much is measured: the full run of about ten minutes, and the quick one that shows that all works.

export const FULL = {
  mode: 'full' as 'full' | 'quick',
  rounds: 5,
  connections: 64,
  /** Sessions that the players of all rounds join. */
  sessions: 20_000,
  /** Upper bound of the joins of one round: as many requests are prepared. */
  joinsPerRound: 20_000,
  roundSeconds: 4,
  hot: { players: 5_000, seats: 100, storms: 4 },
  memoryJoins: 200_000,
  /** Sessions that are listed and counted. */
  liveSessions: 100_000,
  starts: 5,
  /** Rounds of the highest rate and of ten times that rate, on many connections: short ones, since a machine has better and worse minutes. */
  overload: { rounds: 12, seconds: 4, connections: 4_000, sessions: 20_000, joins: 48_000 },
  /** Versions per size; each size has a hundred versions per record. */
  history: { sizes: { small: 10_000, large: 10_000_000 }, pageSeconds: 1.5 },
  /** The file that is imported and what follows from it: the largest that the service takes, in the full run. */
  lag: { rows: 50_000, bytes: 60_000_000, rounds: 3 },
  /** Callers that wait for changes, each of its own session. */
  watch: { callers: 10_000, changes: 50, idleSeconds: 10, waitSeconds: 55 },
};

export type Plan = typeof FULL;

export const QUICK: Plan = {
  mode: 'quick',
  rounds: 2,
  connections: 64,
  sessions: 500,
  joinsPerRound: 8_000,
  roundSeconds: 1,
  hot: { players: 500, seats: 100, storms: 2 },
  memoryJoins: 4_000,
  liveSessions: 400,
  starts: 2,
  overload: { rounds: 1, seconds: 3, connections: 2_000, sessions: 500, joins: 10_000 },
  history: { sizes: { small: 10_000, large: 100_000 }, pageSeconds: 0.3 },
  lag: { rows: 1_000, bytes: 1_000_000, rounds: 1 },
  watch: { callers: 200, changes: 5, idleSeconds: 1, waitSeconds: 5 },
};
