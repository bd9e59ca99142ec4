// Writes the OpenAPI documents. With --check it writes nothing and answers 1 when one is out of date.
import { writeFileSync } from 'node:fs';
import { buildContractFiles, ROOT, readRepositoryFile } from './contract-files.ts';

const isCheck = process.argv.includes('--check');

for (const { path, text } of buildContractFiles()) {
  const isCurrent = readRepositoryFile(path) === text;
  if (isCheck && !isCurrent) {
    console.log(`${path} is not what the contract describes: run "npm run openapi".`);
    process.exitCode = 1;
  }
  if (isCheck) continue;
  if (!isCurrent) writeFileSync(`${ROOT}${path}`, text);
  console.log(`${path} ${isCurrent ? 'is up to date' : 'written'}`);
}
