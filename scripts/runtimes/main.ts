// The command `node scripts/run.mjs runtimes`: the service and the conformance suite on every supported runtime.
// Exit codes: 0 all proofs hold, 1 one does not, or the usage is wrong.
import { parseArgs } from 'node:util';
import { report, runScript, SetupError } from '../setup/repository.mjs';
import { installRuntimes, RUNTIME_NAMES } from './install-runtimes.ts';
import { proveClone } from './prove-clone.ts';
import { proveRuntime } from './prove-runtime.ts';
import { cleanUp } from './service-process.ts';
import { runPackageTests } from './tests/run-package-tests.ts';

const USAGE = `node scripts/run.mjs runtimes [--only ${RUNTIME_NAMES.join(',')}] [--tests] [--clones]

  --only a,b  only these runtimes
  --tests     also runs the tests of the packages on Node 26, Bun and Deno
  --clones    also starts a fresh clone with npm on Node 22, Bun and Deno`;

const readOptions = () => {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const only = { type: 'string', default: RUNTIME_NAMES.join() } as const;
    const { values } = parseArgs({ options: { only, tests: flag, clones: flag } });
    const names = values.only.split(',');
    const unknown = names.find((name) => !RUNTIME_NAMES.some((known) => known === name));
    if (unknown !== undefined) throw new Error(`There is no runtime "${unknown}".`);
    return { ...values, names };
  } catch (error) {
    throw new SetupError(`${(error as Error).message}\n\n${USAGE}`);
  }
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    cleanUp();
    process.exit(130);
  });
}

await runScript(async () => {
  const { names, tests, clones } = readOptions();
  const runtimes = (await installRuntimes()).filter(({ name }) => names.includes(name));
  const rows: object[] = [];
  const problems: string[] = [];
  for (const runtime of runtimes) {
    const { name, version } = runtime;
    report(`Proving ${name} ${version} …`);
    const { problems: found, ...measured } = await proveRuntime(runtime);
    if (tests) found.push(...(await runPackageTests(runtime)));
    if (clones) found.push(...(await proveClone(runtime)));
    // Times are information: they depend on the machine and its load.
    rows.push({ name, version, ...measured, result: found.length === 0 ? 'ok' : 'FAILED' });
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  console.table(rows);
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? 0 : 1;
});
