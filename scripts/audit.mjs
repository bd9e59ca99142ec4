#!/usr/bin/env node
// npm run audit: asks the registry which packages that users of the service run have known vulnerabilities.
import { askRegistry } from './audit/ask-registry.mjs';
import { judgeAudit } from './audit/judge-audit.mjs';
import { runScript } from './setup/repository.mjs';

await runScript(async () => {
  const { sentences, exitCode } = judgeAudit(await askRegistry());
  for (const sentence of sentences) console.log(sentence);
  return exitCode;
});
