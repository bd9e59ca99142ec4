// The command line of `npm run clients`.
import { parseArgs } from 'node:util';
import type { Language } from './languages.ts';
import { LANGUAGES } from './languages.ts';

export type Options = { languages: readonly Language[]; serve: boolean };

export class UsageError extends Error {}

export const USAGE = `npm run clients [-- --only ${LANGUAGES.map(({ name }) => name).join(',')} | --serve]

  --only a,b  only these languages
  --serve     starts the service, prints what a recipe's program needs, and serves until Ctrl-C
  --help      print this`;

/** Throws UsageError. */
export const readOptions = (args: string[]): Options => {
  const { only, serve } = parse(args);
  if (only === undefined) return { languages: LANGUAGES, serve };
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !LANGUAGES.some((language) => language.name === name));
  if (unknown !== undefined) throw new UsageError(`There is no recipe for "${unknown}".`);
  return { languages: LANGUAGES.filter(({ name }) => names.includes(name)), serve };
};

const parse = (args: string[]): { only?: string; serve: boolean } => {
  try {
    const options = { only: { type: 'string' }, serve: { type: 'boolean' } } as const;
    const { values } = parseArgs({ args, options });
    return { ...values, serve: values.serve ?? false };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};
