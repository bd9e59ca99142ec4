// Writes the OpenAPI documents. With --check it writes nothing and answers 1 when one is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildOpenApi } from '@muster/contract/openapi';

type ContractFile = { path: string; text: string };

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const write = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** The documents as they should be; paths are relative to the root. */
const buildContractFiles = (): ContractFile[] => [
  { path: 'contracts/openapi.json', text: write(buildOpenApi({ version: '3.1.0' })) },
  { path: 'contracts/openapi-3.0.json', text: write(buildOpenApi({ version: '3.0.3' })) },
];

/** The text of a file of the repository, or null where there is none. */
export const readRepositoryFile = (path: string): string | null => {
  try {
    return readFileSync(`${ROOT}${path}`, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

if (import.meta.main) {
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
}
