// contracts/pacts holds what the tests of our own consumers write: no more, no less, to the byte.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../setup/repository.mjs';
import { comparePacts } from './compare-pacts.mjs';
import { generatePacts } from './generate-pacts.mjs';

const COMMITTED = join(ROOT, 'contracts/pacts');

/** Answers 0 when every committed pact is what its consumer's tests write now. */
export function checkPacts() {
  return withPacts((folder) => {
    const differences = comparePacts(readPacts(COMMITTED), readPacts(folder));
    for (const sentence of differences) console.log(`${sentence}: run "npm run pacts".`);
    return differences.length > 0 ? 1 : 0;
  });
}

/** Replaces the committed pacts. */
export function writePacts() {
  return withPacts((folder) => {
    for (const name of readPacts(COMMITTED).keys()) rmSync(join(COMMITTED, name));
    mkdirSync(COMMITTED, { recursive: true });
    for (const name of readPacts(folder).keys()) {
      copyFileSync(join(folder, name), join(COMMITTED, name));
      console.log(`contracts/pacts/${name} written`);
    }
    return 0;
  });
}

/** Nothing is compared or written when a consumer's tests fail.
 * @param {(folder: string) => number} use @returns {Promise<number>} */
async function withPacts(use) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pacts-'));
  try {
    return (await generatePacts(folder)) || use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder @returns {Map<string, string>} the text of each pact by its file's name */
function readPacts(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
