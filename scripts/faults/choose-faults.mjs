// Which files of fault tests the arguments of `npm run faults` mean.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, SetupError } from '../setup/repository.mjs';

const FOLDER = 'test/faults';

/**
 * @param {readonly string[]} args
 * @returns {string[] | null} paths within apps/api; null where only help was asked for
 */
export function chooseFaults(args) {
  const files = readdirSync(join(ROOT, 'apps/api', FOLDER)).filter((file) =>
    file.endsWith('.test.ts'),
  );
  const known = new Map(files.map((file) => [nameOf(file), `${FOLDER}/${file}`]));
  const usage = `Use: npm run faults [-- <name> ...], all by default. Names: ${[...known.keys()].join(', ')}.`;
  const { values, positionals } = read(args, usage);
  if (values.help) {
    console.log(usage);
    return null;
  }
  const unknown = positionals.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new SetupError(`There is no ${unknown.join(', ')}. ${usage}`);
  return [...known].filter(([name]) => isChosen(name, positionals)).map(([, file]) => file);
}

/** @param {string} file */
const nameOf = (file) => file.replace(/(?:-faults)?\.test\.ts$/, '');

/** @param {string} name @param {readonly string[]} chosen */
const isChosen = (name, chosen) => chosen.length === 0 || chosen.includes(name);

/** @param {readonly string[]} args @param {string} usage */
function read(args, usage) {
  try {
    const options = /** @type {const} */ ({ help: { type: 'boolean', short: 'h' } });
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    throw new SetupError(usage);
  }
}
