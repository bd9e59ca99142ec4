// The languages that a client is generated for, what a machine needs for each, and how the command line selects them.
import { parseArgs } from 'node:util';

export type Language = {
  /** Names the recipe, docs/clients/<name>.md, and the language on the command line. */
  name: string;
  title: string;
  generator: string;
  /** Commands that answer 0 only where the toolchain is there. */
  needs: readonly (readonly [command: string, ...args: string[]])[];
};

export const LANGUAGES: readonly Language[] = [
  {
    name: 'typescript',
    title: 'TypeScript',
    generator: 'openapi-typescript 7.13.0',
    needs: [
      ['node', '-e', 'process.exit(Number.parseInt(process.versions.node) < 20 ? 1 : 0)'],
      ['npm', '--version'],
    ],
  },
  {
    name: 'python',
    title: 'Python',
    generator: 'openapi-python-client 0.29.1',
    needs: [['python3', '-c', 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))']],
  },
  {
    name: 'go',
    title: 'Go',
    generator: 'oapi-codegen 2.8.2',
    needs: [['go', 'version']],
  },
  {
    name: 'java',
    title: 'Java',
    generator: 'openapi-generator 7.25.0',
    needs: [
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
  },
  {
    name: 'rust',
    title: 'Rust',
    generator: 'progenitor 0.15.1',
    needs: [['cargo', '--version']],
  },
];

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
