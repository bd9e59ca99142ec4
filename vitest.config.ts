// Every test of the repository. The ending of a file's name shows what the test needs, and selects its project.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { pactPreset } from '@muster/pact-kit/vitest';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const CORES = availableParallelism();

const FOLDERS = '{apps,packages,scripts,contracts/examples}';
const NEEDS = ['integration', 'browser', 'contract', 'proof'];
const filesOf = (need: string): string[] => [`${FOLDERS}/**/*.${need}.test.ts`];

const IGNORED = ['**/node_modules/**', '**/dist/**'];

/** One PostgreSQL for all projects of a run. */
const DATABASE = '@muster/database/testing/global-setup';
/** The web app as its sources are now. */
const WEB = './apps/web/test/support/build-once.ts';
/** One service for the tests of the pact kit. */
const PROVIDER = './packages/pact-kit/test/provider-setup.ts';
/** Searches the logs of all services of the run for secrets. */
const LOGS = './apps/api/test/suite-logs/global-setup.ts';

const CONSUMERS = [
  'apps/web',
  'packages/client',
  'contracts/examples/game-client',
  'contracts/examples/history-mirror',
];
const PACTS = pactPreset({ pacts: CONSUMERS.map((folder) => `${ROOT}${folder}/pacts`) }).test;

type Settings = NonNullable<TestProjectInlineConfiguration['test']>;

/** Proofs that bear no other load beside their own. */
const ALONE = ['apps/api/test/{faults,scaling,slo}', 'packages/bench', 'scripts'].map(
  (folder) => `${folder}/**/*.proof.test.ts`,
);
const PROOF: Settings = {
  env: { TEST_SIZE: 'full' },
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

/** Projects run in sequence, in this order, since they need different numbers of workers. */
let order = 0;
const project = (name: string, settings: Settings): TestProjectInlineConfiguration => {
  order += 1;
  return {
    root: ROOT,
    // The clients are published as built files; their tests and those of their users need no build before them.
    resolve: {
      alias: {
        '@muster/admin-client': `${ROOT}packages/admin-client/src/index.ts`,
        '@muster/client': `${ROOT}packages/client/src/index.ts`,
      },
    },
    test: {
      name,
      include: filesOf(name),
      exclude: IGNORED,
      sequence: { groupOrder: order },
      // Real servers on a busy machine are slow; a test that hangs still ends.
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // The limit for a condition: the time that a page may take on a busy machine.
      expect: { poll: { timeout: 20_000 } },
      restoreMocks: true,
      unstubEnvs: true,
      ...settings,
    },
  };
};

/**
 * A limit of time leaves out the last files, so proofs of the service come before those of packages and releases. The longest file would
 * end long after the others.
 */
const ORDER = [/(objectives|full-size)\.proof\.test\.ts$/, /\/apps\/.*\.proof\.test\.ts$/, /./];

class ProofsInOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project: { config }, moduleId }: TestSpecification): number =>
      ORDER.length * config.sequence.groupOrder +
      ORDER.findIndex((pattern) => pattern.test(moduleId));
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: ProofsInOrder },
    projects: [
      // No database, no process of its own: pure code and servers within the test's process.
      project('unit', {
        include: [`${FOLDERS}/**/*.test.ts`],
        exclude: [...IGNORED, ...NEEDS.flatMap(filesOf)],
        pool: 'threads',
        isolate: false,
        maxWorkers: CORES + 1,
      }),
      // Tests wait for PostgreSQL, for processes and for the clock: two workers more than cores keep the cores busy.
      project('integration', {
        // Long tests run small here and in full among the proofs, from one file.
        include: [...filesOf('integration'), ...filesOf('integration.proof')],
        globalSetup: [DATABASE, LOGS],
        // One import of the service per worker instead of one per file.
        isolate: false,
        maxWorkers: CORES + 2,
      }),
      project('contract', {
        globalSetup: [DATABASE, LOGS, PROVIDER, ...PACTS.globalSetup],
        setupFiles: PACTS.setupFiles,
        env: PACTS.env,
        isolate: false,
        maxWorkers: CORES + 2,
        // Side by side with the project before it: the conformance suite mostly waits for its service.
        sequence: { groupOrder: order },
      }),
      // The files of a worker share its service and its browser, so a worker keeps its modules. One more than cores, since
      // some tests wait.
      project('browser', {
        globalSetup: [DATABASE, WEB],
        isolate: false,
        maxWorkers: CORES + 1,
        testTimeout: 120_000,
      }),
      // Proofs that overload servers, measure, or install machines and runtimes run alone.
      project('proof-alone', {
        include: ALONE,
        globalSetup: [DATABASE, LOGS, WEB],
        fileParallelism: false,
        ...PROOF,
      }),
      // `npm run test:proofs`: what takes minutes. Much of it waits: two at a time keep two cores busy.
      project('proof', {
        exclude: [...IGNORED, ...ALONE],
        globalSetup: [DATABASE, LOGS, WEB, PROVIDER],
        maxWorkers: 2,
        ...PROOF,
      }),
    ],
  },
});
