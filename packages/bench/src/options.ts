// The command line of npm run bench.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** What a run measures that is not told otherwise. */
export const BENCHMARKS = ['startup', 'join', 'history', 'overload'] as const;
/** Only when they are asked for: one takes longer than all others, and one needs a browser. */
const ON_DEMAND = ['soak', 'web'] as const;
export type BenchmarkName = (typeof BENCHMARKS)[number] | (typeof ON_DEMAND)[number];
const ALL: readonly BenchmarkName[] = [...BENCHMARKS, ...ON_DEMAND];

export const USAGE = `usage: npm run bench -- [options]

  --quick          small sizes, about a minute: shows that all works, not how fast
  --only NAME      only this group: ${BENCHMARKS.join(', ')};
                   ${ON_DEMAND.join(' and ')} are left out otherwise
  --json FILE      where the results go as JSON (default: packages/bench/results/latest.json)
  --no-markdown    leave docs/benchmarks.md as it is; so do --quick and --only
  --data-dir DIR   keep the databases in this folder: the next run finds the versions there
  --max-minutes N  stop with what there is after N minutes (default 30)
  --soak-minutes N how long the soak lasts (default 20)
  --help           print this`;

/** A mistake in the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type BenchOptions = {
  help: boolean;
  quick: boolean;
  only: readonly BenchmarkName[];
  jsonFile: string;
  writeMarkdown: boolean;
  dataDir?: string;
  maxMinutes: number;
  soakMinutes: number;
};

const FLAGS = {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  json: { type: 'string', default: 'packages/bench/results/latest.json' },
  'no-markdown': { type: 'boolean', default: false },
  'data-dir': { type: 'string' },
  'max-minutes': { type: 'string', default: '30' },
  'soak-minutes': { type: 'string', default: '20' },
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

const readMinutes = (
  flags: ReturnType<typeof parse>,
  name: 'max-minutes' | 'soak-minutes',
): number => {
  const minutes = Number(flags[name]);
  if (minutes > 0 && Number.isFinite(minutes)) return minutes;
  throw new UsageError(`--${name} must be a positive number`);
};

/** Paths are relative to `root`. Throws UsageError with a sentence. */
export const readOptions = (args: readonly string[], root: string): BenchOptions => {
  const flags = parse(args);
  refuseEmpty(flags);
  const only = flags.only === undefined ? BENCHMARKS : ALL.filter((name) => flags.only === name);
  if (only.length === 0) throw new UsageError(`--only takes one of ${ALL.join(', ')}`);
  const maxMinutes = readMinutes(flags, 'max-minutes');
  const soakMinutes = readMinutes(flags, 'soak-minutes');
  const dataDir = flags['data-dir'];
  return {
    help: flags.help,
    quick: flags.quick,
    only,
    maxMinutes,
    soakMinutes,
    jsonFile: resolve(root, flags.json),
    writeMarkdown: !flags['no-markdown'] && !flags.quick && flags.only === undefined,
    ...(dataDir !== undefined && { dataDir: resolve(root, dataDir) }),
  };
};
