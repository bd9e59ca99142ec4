// The command `npm run clients`: every recipe of docs/clients, followed to the letter against a live service.
// Exit codes: 0 every language whose toolchain is here passed, 1 one failed, 2 wrong usage.
import { once } from 'node:events';
import { report } from '../setup/repository.mjs';
import type { Options } from './languages.ts';
import { readOptions, USAGE, UsageError } from './languages.ts';
import type { Proof } from './prove-language.ts';
import { describeProofs, proveLanguage } from './prove-language.ts';
import type { Service } from './service.ts';
import { makeSettings, startService } from './service.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interruption.abort(new Error('Interrupted.')));
}

const proveAll = async (service: Service, { languages }: Options): Promise<number> => {
  const proofs: Proof[] = [];
  for (const language of languages) {
    const { signal } = interruption;
    const proof = await proveLanguage(language, { service, report, signal });
    if (proof.outcome === 'failed') report(`${language.title} failed: ${proof.reason}`);
    proofs.push(proof);
  }
  console.log(`\n${describeProofs(proofs)}`);
  return proofs.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
};

/** Serves people who follow a recipe by hand. */
const serve = async (service: Service): Promise<number> => {
  for (const [name, value] of Object.entries(await makeSettings(service))) {
    console.log(`export ${name}='${value}'`);
  }
  report('Serving until Ctrl-C.');
  await once(interruption.signal, 'abort');
  return 0;
};

const main = async (): Promise<number> => {
  if (process.argv.slice(2).includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const options = readOptions(process.argv.slice(2));
  report('Starting the service …');
  const service = await startService();
  try {
    return await (options.serve ? serve(service) : proveAll(service, options));
  } finally {
    await service.stop();
  }
};

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  if (error instanceof UsageError) report(`${error.message}\n\n${USAGE}`);
  else report(interruption.signal.aborted ? 'Interrupted.' : String((error as Error).stack));
}
