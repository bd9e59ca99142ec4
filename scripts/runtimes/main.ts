// The command `node scripts/run.mjs runtimes`: the service and the conformance suite on every runtime that it supports.
// Exit codes: 0 everything holds, 1 something does not, 2 wrong usage.

import { parseArgs } from 'node:util';
import { composeTable } from '../compose-table.ts';
import { report } from '../setup/repository.mjs';
import type { RuntimeName } from './install-runtimes.ts';
import { installRuntimes, RUNTIME_NAMES } from './install-runtimes.ts';
import { proveClone } from './prove-clone.ts';
import type { Proof } from './prove-runtime.ts';
import { proveRuntime } from './prove-runtime.ts';
import { killServices, removeProofFolders } from './service-process.ts';
import { runPackageTests } from './tests/run-package-tests.ts';

type Options = {
  names: readonly RuntimeName[];
  /** Also runs the tests of the packages on Bun and Deno. */
  tests: boolean;
  /** Also installs and starts a fresh clone with Bun and with Deno. */
  clones: boolean;
};

class UsageError extends Error {}

const USAGE = `node scripts/run.mjs runtimes [--only ${RUNTIME_NAMES.join(',')}] [--tests] [--clones]

  --only a,b  only these runtimes
  --tests     runs the tests of the packages on Bun and Deno, too
  --clones    installs and starts a fresh clone with Bun and with Deno, too
  --help      print this`;

const toName = (text: string): RuntimeName => {
  const name = RUNTIME_NAMES.find((known) => known === text.trim());
  if (name) return name;
  throw new UsageError(`There is no runtime "${text}".`);
};

/** Throws UsageError. */
const readOptions = (args: string[]): Options => {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { only: { type: 'string' }, tests: flag, clones: flag } as const;
    const { only, ...rest } = parseArgs({ args, options }).values;
    return { names: only === undefined ? RUNTIME_NAMES : only.split(',').map(toName), ...rest };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

// The table at the end: one line per runtime. Times and memory are information; they depend on the machine and what else it does.

const COLUMNS: [string, (proof: Proof) => string][] = [
  ['runtime', ({ runtime }) => runtime.name],
  ['version', ({ runtime }) => runtime.version],
  ['ready in', ({ readyMs }) => inSeconds(readyMs)],
  ['again in', ({ againMs }) => inSeconds(againMs)],
  ['idle', ({ idleMiB }) => inMiB(idleMiB)],
  ['after the suite', ({ usedMiB }) => inMiB(usedMiB)],
  ['passed', ({ conformance }) => `${conformance.passed.size} of ${conformance.total}`],
  ['failed', ({ conformance }) => String(conformance.failed.length)],
  ['stop', ({ stopMs }) => inSeconds(stopMs)],
  ['result', ({ problems }) => (problems.length === 0 ? 'ok' : 'FAILED')],
];

const inSeconds = (ms: number | undefined): string =>
  ms === undefined ? '–' : `${(ms / 1000).toFixed(2)} s`;

const inMiB = (mib: number | null | undefined): string => (mib == null ? '–' : `${mib} MiB`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killServices();
    removeProofFolders();
    process.exit(130);
  });
}

const main = async (): Promise<number> => {
  if (process.argv.slice(2).includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const { names, tests, clones } = readOptions(process.argv.slice(2));
  const runtimes = (await installRuntimes()).filter(({ name }) => names.includes(name));
  const proofs: Proof[] = [];
  for (const runtime of runtimes) {
    report(`Proving ${runtime.name} ${runtime.version} …`);
    const proof = await proveRuntime(runtime);
    if (tests) proof.problems.push(...(await runPackageTests(runtime)));
    if (clones) proof.problems.push(...(await proveClone(runtime)));
    proofs.push(proof);
  }
  const rows = proofs.map((proof) => COLUMNS.map(([, read]) => read(proof)));
  console.log(`\n${composeTable([COLUMNS.map(([title]) => title), ...rows])}`);
  const problems = proofs.flatMap(({ runtime, problems }) =>
    problems.map((problem) => `${runtime.name}: ${problem}`),
  );
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? 0 : 1;
};

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  report(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
