// Where the documents of the contract are kept, and how they are written.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildOpenApi } from '@muster/contract/openapi';

export type ContractFile = { path: string; text: string };

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const write = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** The documents as they should be; paths are relative to the root. */
export const buildContractFiles = (): ContractFile[] => [
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
