// @muster/pact-kit/vitest: the settings under which a consumer's tests write their pacts whole, and the same every time.
import { delimiter, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DECLARED_VARIABLE, FOLDER_VARIABLE } from './pact-content.ts';

export type PactPresetOptions = {
  /** Where the tests write their pacts: what `dir` of pact-js names. Relative to the current folder. Several consumers have a folder each. */
  pacts: string | readonly string[];
  /** Test files that write pacts; `**\/*.pact.test.ts` by default. */
  include?: readonly string[];
};

/** The part of vitest's configuration that the preset sets; merge it with your own. */
export type PactPreset = {
  test: {
    include: string[];
    fileParallelism: false;
    globalSetup: string[];
    setupFiles: string[];
    env: Record<string, string>;
    testTimeout: number;
  };
};

const DEFAULT_INCLUDE = ['**/*.pact.test.ts'];

/** The mock server starts anew for each interaction, which takes its time on a busy machine. */
const TEST_TIMEOUT_MS = 30_000;

/** Files that vitest loads by their path: sources in the repository, built ones in the package. */
const locate = (name: string): string => {
  const file = import.meta.url.endsWith('.ts') ? `./${name}.ts` : `./vitest-${name}.js`;
  return fileURLToPath(new URL(file, import.meta.url));
};

/**
 * One test file after the other, since parallel ones lose interactions silently; the folders are emptied of pacts first;
 * in the end every pact is written in one order, and an interaction that a test declared and no file holds fails the run.
 */
export const pactPreset = ({ pacts, include = DEFAULT_INCLUDE }: PactPresetOptions): PactPreset => {
  const folders = [pacts].flat().map((folder) => resolve(folder));
  const env = {
    [FOLDER_VARIABLE]: folders.join(delimiter),
    [DECLARED_VARIABLE]: resolve(folders[0] ?? '', `.declared-${process.pid}.jsonl`),
    PACT_DO_NOT_TRACK: 'true',
  };
  // The global set-up runs in this process, which vitest's `env` does not reach.
  Object.assign(process.env, env);
  return {
    test: {
      include: [...include],
      fileParallelism: false,
      globalSetup: [locate('around-run')],
      setupFiles: [locate('record-declared')],
      env,
      testTimeout: TEST_TIMEOUT_MS,
    },
  };
};
