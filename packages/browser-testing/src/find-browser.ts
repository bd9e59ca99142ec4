// Finds an installed Chromium or Chrome. Tests fail without one; they are never skipped.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `npm test` puts a browser of the package registry, if it has to. */
export const PACKAGED_FOLDER = fileURLToPath(
  new URL('../../../node_modules/.cache/chromium', import.meta.url),
);

/** The headless shell comes first: it opens a page with a third of the work of the whole browser. */
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];

/** Where installers put the browser that is not on the PATH. */
export const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

type Environment = Partial<Record<'CHROME_PATH' | 'PATH', string | undefined>>;

/**
 * The path of the browser: `CHROME_PATH` where it is set, else the first one installed.
 * Throws an error with one sentence about what to install.
 */
export const findBrowser = (
  environment: Environment = process.env,
  applications: readonly string[] = [...APPLICATIONS, join(PACKAGED_FOLDER, 'browser')],
): string => {
  const { CHROME_PATH: chosen, PATH: path = '' } = environment;
  if (chosen) {
    if (isProgram(chosen)) return chosen;
    throw new Error(`CHROME_PATH names ${chosen}, which is no program.`);
  }
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const installed = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  const found = [...installed, ...applications].find(isProgram);
  if (found) return found;
  throw new Error(
    'No browser found: install Chromium (on Debian "apt-get install chromium") or set CHROME_PATH to the program of a Chromium or Chrome.',
  );
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
