// The command line of `npm run runtimes`.
import { parseArgs } from 'node:util';

export const RUNTIME_NAMES = ['node22', 'node24', 'bun', 'deno'] as const;
export type RuntimeName = (typeof RUNTIME_NAMES)[number];

export type Options = {
  names: readonly RuntimeName[];
  /** Also runs the tests of the packages on Bun and Deno. */
  tests: boolean;
  /** Also installs and starts a fresh clone with Bun and with Deno. */
  clones: boolean;
};

export class UsageError extends Error {}

export const USAGE = `npm run runtimes [-- --only ${RUNTIME_NAMES.join(',')}] [--tests] [--clones]

  --only a,b  only these runtimes
  --tests     runs the tests of the packages on Bun and Deno, too
  --clones    installs and starts a fresh clone with Bun and with Deno, too
  --help      print this`;

/** Throws UsageError. */
export const readOptions = (args: string[]): Options => {
  const { only, ...rest } = parse(args);
  return { names: only === undefined ? RUNTIME_NAMES : only.split(',').map(toName), ...rest };
};

const toName = (text: string): RuntimeName => {
  const name = RUNTIME_NAMES.find((known) => known === text.trim());
  if (name) return name;
  throw new UsageError(`There is no runtime "${text}".`);
};

const parse = (args: string[]): { only?: string; tests: boolean; clones: boolean } => {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { only: { type: 'string' }, tests: flag, clones: flag } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};
