// The SQL of the service: statements that this process sends to PostgreSQL, and statements in the source.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

type Recording = { texts: Set<string>; stop(): void };

/** Keeps the text of every statement that this process sends, by a store or by Prisma. */
export const recordStatements = (): Recording => {
  const texts = new Set<string>();
  const original = pg.Client.prototype.query;
  const record = function (this: pg.Client, ...args: [unknown, ...unknown[]]) {
    const [asked] = args;
    const text = typeof asked === 'string' ? asked : (asked as { text?: unknown } | null)?.text;
    if (typeof text === 'string') texts.add(text);
    return Reflect.apply(original, this, args);
  };
  pg.Client.prototype.query = record as typeof original;
  return {
    texts,
    stop: () => {
      pg.Client.prototype.query = original;
    },
  };
};

export type SourceStatement = {
  /** Relative to apps/api/src. */
  file: string;
  /** The texts between template substitutions; one without substitutions. */
  pieces: readonly string[];
};

const SOURCE = join(import.meta.dirname, '../../src');

const BEGINS_STATEMENT =
  /^\s*(?:WITH\s+\w+\s+AS|SELECT\s|INSERT\s+INTO|UPDATE\s+\w+\s|DELETE\s+FROM)/;

/** All SQL in the source. There is no list of statements, so a new one cannot be forgotten. */
export const findSourceStatements = (): SourceStatement[] =>
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test(-d)?\.ts$|\/testing\//.test(file))
    .sort()
    .flatMap((file) =>
      readStatements(readFileSync(join(SOURCE, file), 'utf8')).map((pieces) => ({ file, pieces })),
    );

/** Comments are removed first: an apostrophe in one of them is no quote. */
const readStatements = (source: string): string[][] => {
  const found: string[][] = [];
  readCode(source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, ''), 0, found);
  return found.filter(([first = '']) => BEGINS_STATEMENT.test(first));
};

/** Collects the literals from `at` to the end, or to the brace that closes a substitution; returns the position. */
const readCode = (code: string, at: number, found: string[][]): number => {
  let depth = 0;
  for (let here = at; here < code.length; here += 1) {
    const character = code[here] ?? '';
    if (character === '{') depth += 1;
    if (character === '}') {
      if (depth === 0) return here;
      depth -= 1;
    }
    if (character === '`') here = readTemplate(code, here + 1, found);
    if (character === "'") {
      const [quoted = ''] = /^(?:[^'\\\n]|\\.)*/.exec(code.slice(here + 1)) ?? [];
      found.push([quoted]);
      here += quoted.length + 1;
    }
  }
  return code.length;
};

/** Returns the end of the template. */
const readTemplate = (code: string, at: number, found: string[][]): number => {
  const pieces = [''];
  for (let here = at; here < code.length; here += 1) {
    const character = code[here] ?? '';
    if (character === '`') {
      found.push(pieces);
      return here;
    }
    if (character === '$' && code[here + 1] === '{') {
      here = readCode(code, here + 2, found);
      pieces.push('');
    } else {
      pieces.push(`${pieces.pop()}${character}`);
    }
  }
  return code.length;
};

/** As one line, so that the same statement is recognised with any indentation. */
export const normalise = (text: string): string => text.replace(/\s+/g, ' ').trim();
