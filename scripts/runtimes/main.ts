// The command `npm run runtimes`: the service and the conformance suite on every runtime that it supports.
// Exit codes: 0 everything holds, 1 something does not, 2 wrong usage.
import { report } from '../setup/repository.mjs';
import { proveClone } from './clones/prove-clone.ts';
import { composeTable } from './compose-table.ts';
import { removeProofFolders } from './data-folder.ts';
import { installRuntimes } from './install-runtimes.ts';
import type { Proof } from './prove-runtime.ts';
import { proveRuntime } from './prove-runtime.ts';
import { readOptions, USAGE, UsageError } from './read-options.ts';
import { killServices } from './service-process.ts';
import { runPackageTests } from './tests/run-package-tests.ts';

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
  console.log(`\n${composeTable(proofs)}`);
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
