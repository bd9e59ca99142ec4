// The command `npm run clients`: follows every recipe of docs/clients against a running service.
// Exit codes: 0 each language whose toolchain is installed passed, 1 one failed or the usage is wrong.
import { once } from 'node:events';
import { report, runScript } from '../setup/repository.mjs';
import { readOptions } from './languages.ts';
import type { Proof } from './prove-language.ts';
import { describeProofs, proveLanguage } from './prove-language.ts';
import { makeSettings, startService } from './service.ts';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interruption.abort());
}

await runScript(async () => {
  const { languages, serve } = readOptions(process.argv.slice(2));
  const { signal } = interruption;
  report('Starting the service …');
  const service = await startService();
  try {
    if (serve) {
      for (const [name, value] of Object.entries(await makeSettings(service))) {
        console.log(`export ${name}='${value}'`);
      }
      report('Serving until Ctrl-C.');
      await once(signal, 'abort');
      return 0;
    }
    const proofs: Proof[] = [];
    for (const language of languages) {
      if (signal.aborted) return 130;
      proofs.push(await proveLanguage(language, { service, report, signal }));
    }
    console.log(`\n${describeProofs(proofs)}`);
    return proofs.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
  } finally {
    await service.stop();
  }
});
