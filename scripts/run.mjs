#!/usr/bin/env node
// The commands of contributors: `node scripts/run.mjs <name> [arguments]`, the frequent ones also as `npm run <name>`. Each one sets the
// repository up first, with nothing but Node.js 20 or newer, and loads what it needs only after that.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allocatorEnvironment, HEAP_OPTIONS } from '../apps/api/src/memory-options.mjs';
import { listEnvFileOptions, runEntry } from './run/run-entry.mjs';
import { runProgram } from './run/run-program.mjs';
import { buildWeb, hasWebBuild } from './setup/build-web.mjs';
import { removeStamp } from './setup/fingerprint.mjs';
import { ROOT, report, runScript } from './setup/repository.mjs';
import { findRuntime, projectEnvironment } from './setup/runtime.mjs';
import { setUp } from './setup/set-up.mjs';
import { EVERYDAY, PROOFS, runTests } from './test/run-tests.mjs';

const [name = '', ...args] = process.argv.slice(2);

/** A TypeScript program of the repository. @param {string} file */
const entry = (file) => () => runEntry({ file, args });

/** @param {string} command @param {string[]} programArgs @param {string} [cwd] */
async function runInstalled(command, programArgs, cwd = ROOT) {
  await setUp();
  return runProgram({ command, args: programArgs, cwd, env: projectEnvironment() });
}

/** @type {Record<string, () => Promise<number>>} */
const COMMANDS = {
  /** The service and its web app with everything they need, from a fresh clone on. */
  start: async () => {
    const env = allocatorEnvironment();
    const service = { file: 'apps/api/src/main.ts', nodeOptions: HEAP_OPTIONS, args, env };
    if (hasWebBuild()) return runEntry({ ...service, prepare: buildWeb });
    // The first build takes about as long as the first start, which waits for it with its line "ready".
    let isBroken = false;
    let isStopping = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => {
        isStopping = true;
      });
    }
    /** @param {import('node:child_process').ChildProcess} child */
    const onStarted = (child) =>
      void buildWeb().catch((error) => {
        // The signal has stopped the build and the service alike.
        if (isStopping) return;
        isBroken = true;
        report(error.message);
        child.kill('SIGTERM');
      });
    const code = await runEntry({
      ...service,
      env: { ...env, AWAIT_WEB_APP: '1' },
      onStarted,
    });
    return isBroken ? 1 : code;
  },

  /** The commands of operators, such as `token`, `backup` and `restore`. */
  muster: entry('apps/api/src/cli/muster.ts'),

  /** The service, restarted whenever a file that it imports changes, and Vite in front of the web app. */
  dev: async () => {
    await setUp('runtime');
    const vite = startVite();
    // Node's watcher waits for the old process to end after SIGTERM, so that the database is stopped cleanly.
    const nodeOptions = ['--watch', '--watch-preserve-output'];
    const code = await runEntry({ file: 'apps/api/src/main.ts', nodeOptions, args });
    vite.kill('SIGTERM');
    return code;
  },

  /** Every test but the long proofs; arguments go to vitest. */
  test: async () => {
    await setUp();
    // Vitest runs what any of several choices allows.
    const hasChoice = args.some((arg) => arg.startsWith('--project'));
    return runTests(hasChoice ? args : [EVERYDAY, ...args]);
  },

  /** The proofs, which take minutes; arguments go to vitest, such as a pattern or --shard=1/3. */
  'test:proofs': async () => {
    await setUp();
    return runTests([PROOFS, ...args]);
  },

  /** The unit tests of workspaces that changed, or that use one that did; the others' results are cached. */
  'test:unit': () =>
    runInstalled('turbo', [
      'run',
      'unit',
      '--continue=always',
      '--output-logs=errors-only',
      ...args,
    ]),

  /** Everything that must be true before a change is merged; --static omits the tests, --staged formats and checks what is staged. */
  check: async () => {
    const unknown = args.find((arg) => arg !== '--static' && arg !== '--staged');
    if (unknown !== undefined) {
      console.error(`There is no option "${unknown}": choose --static or --staged.`);
      return 2;
    }
    await setUp();
    if (args.includes('--staged')) {
      const { checkStaged } = await import('./check/staged-files.mjs');
      return checkStaged();
    }
    const { runCheck } = await import('./check/check.mjs');
    return runCheck({ isStatic: args.includes('--static') });
  },

  /** Finds odd wording and packed object literals; --limit sets the hits per 1,000 words, folders limit the search. */
  'check:prose': async () => {
    const { checkProse } = await import('./check/prose.mjs');
    return checkProse(args);
  },

  /** Formats every file and applies the linter's safe fixes. */
  format: () => runInstalled('biome', ['check', '--write', '.']),

  /** Installs the packages and generates the database client, when that is needed. */
  setup: async () => {
    await setUp();
    return 0;
  },

  /** The web app into apps/web/dist, when its sources changed; --only installs nothing under running tests. */
  'build:web': async () => {
    if (!args.includes('--only')) await setUp('runtime');
    await buildWeb();
    return 0;
  },

  /** Makes every generated file anew: the database client, even if unchanged. */
  generate: async () => {
    removeStamp('prisma-client');
    await setUp();
    return 0;
  },

  /** Writes the OpenAPI documents in contracts/ anew; --check only compares them. */
  openapi: entry('scripts/openapi/write-documents.ts'),

  /** Holds the OpenAPI documents against the rules of API documents. */
  'openapi:lint': () =>
    runInstalled('redocly', ['lint', '--config', 'scripts/openapi/redocly.yaml']),

  /** The tests of our own consumers write contracts/pacts anew; --check only compares. */
  pacts: async () => {
    await setUp();
    const { updatePacts } = await import('./pacts/pacts.mjs');
    return updatePacts({ isCheck: args.includes('--check') });
  },

  /** Proves a running service against the interface. */
  conformance: entry('packages/conformance/src/main.ts'),

  /** Takes the pictures in docs/images anew, of the app as it is now. */
  screenshots: async () => {
    await setUp();
    const env = projectEnvironment();
    const program = 'packages/browser-testing/src/provide-browser.ts';
    const browser = await runProgram({ command: findRuntime(), args: [program], env });
    if (browser !== 0) return browser;
    const config = 'test/screenshots/vitest.config.ts';
    return runInstalled(
      'vitest',
      ['run', '--root', '.', '--config', config],
      join(ROOT, 'apps/web'),
    );
  },

  /** Generated clients, proven against a live service. */
  clients: entry('scripts/clients/main.ts'),

  /** Builds the documentation as a site; --reference only writes its generated pages, --dev serves it. */
  site: async () => {
    await setUp();
    const { buildSite } = await import('./site/build-site.mjs');
    return buildSite(args);
  },

  /** Measures the service, as `npm start` runs it, and writes docs/benchmarks.md. */
  bench: () => {
    process.env.SERVICE_NODE_OPTIONS = HEAP_OPTIONS.join(' ');
    process.env.SERVICE_ENVIRONMENT = JSON.stringify(allocatorEnvironment());
    return runEntry({ file: 'packages/bench/src/main.ts', scope: 'development', args });
  },

  /** The service on a Citus cluster of this machine. */
  cluster: async () => {
    await setUp();
    return runEntry({ file: 'apps/api/test/scaling/serve-cluster.ts', args });
  },

  /** Makes databases, processes, networks, disks and clocks fail, with far more load than the proofs do. */
  faults: async () => {
    await setUp();
    const { runFaults } = await import('./faults/faults.mjs');
    return runFaults(args, (files, env) => runTests([PROOFS, ...files], env));
  },

  /** Asks the registry which packages of the running service have known vulnerabilities; --required fails without an answer. */
  audit: async () => {
    const { askRegistry, judgeAudit } = await import('./audit/audit.mjs');
    const { sentences, exitCode } = judgeAudit(await askRegistry(), {
      isRequired: args.includes('--required'),
    });
    for (const sentence of sentences) console.log(sentence);
    return exitCode;
  },

  /** Every artefact of a release in dist/, with checksums and sizes; publishes nothing. */
  release: () =>
    runEntry({
      file: 'scripts/release/main.ts',
      scope: 'development',
      args,
      prepare: buildWeb,
    }),

  /** Proves the service on every supported runtime; --only names some, --tests and --clones prove more. */
  runtimes: async () => {
    const flag = /** @type {const} */ ({ type: 'boolean' });
    const options = { only: /** @type {const} */ ({ type: 'string' }), tests: flag, clones: flag };
    const { only, tests, clones } = parseArgs({ args, options }).values;
    await setUp();
    const names = ['each runtime', 'the service'];
    if (tests) names.push('the tests of the packages');
    if (clones) names.push('a fresh clone');
    const vitestArgs = [PROOFS, 'scripts/runtimes/', `--testNamePattern=${names.join('|')}`];
    return runTests(vitestArgs, only === undefined ? {} : { RUNTIMES: only });
  },
};

/** Vite's development server proxies to the service, and gets the terminal's signals like it. */
function startVite() {
  const program = join(ROOT, 'node_modules/vite/bin/vite.js');
  const args = [...listEnvFileOptions(), program, '--clearScreen', 'false'];
  const child = spawn(findRuntime(), args, {
    cwd: join(ROOT, 'apps/web'),
    env: projectEnvironment(),
    stdio: ['ignore', 2, 2],
  });
  child.once('error', (error) => report(`Could not start Vite: ${error.message}.`));
  return child;
}

await runScript(async () => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command();
  console.error(`There is no command "${name}": choose ${Object.keys(COMMANDS).join(', ')}.`);
  return 2;
});
