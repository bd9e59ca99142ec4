// Writes the OpenAPI documents, and the types of packages/admin-client. With --check it writes nothing and exits with 1 when one is out of date.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildCompanionOpenApi, buildOpenApi } from '@muster/contract/openapi';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The text of a file of the repository, or null where there is none. */
export const readRepositoryFile = (path: string): string | null => {
  try {
    return readFileSync(`${ROOT}${path}`, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** A program of the service prints it, since packages and scripts do not import apps. */
const printAdminDocument = (): string =>
  execFileSync(process.execPath, [`${ROOT}apps/api/test/print-admin-openapi.ts`], {
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  });

if (import.meta.main) {
  const isCheck = process.argv.includes('--check');
  const write = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
  const documents = {
    'contracts/openapi.json': write(buildOpenApi({ version: '3.1.0' })),
    'contracts/openapi-3.0.json': write(buildOpenApi({ version: '3.0.3' })),
    'contracts/openapi-companion.json': write(buildCompanionOpenApi({ version: '3.1.0' })),
    'contracts/openapi-admin.json': printAdminDocument(),
  };
  for (const [path, text] of Object.entries(documents)) {
    const isCurrent = readRepositoryFile(path) === text;
    if (isCheck && !isCurrent) {
      console.log(`${path} is not what the code describes: run "node scripts/run.mjs openapi".`);
      process.exitCode = 1;
    }
    if (isCheck) continue;
    if (!isCurrent) writeFileSync(`${ROOT}${path}`, text);
    console.log(`${path} ${isCurrent ? 'is up to date' : 'written'}`);
  }
  const generator = `${ROOT}packages/admin-client/build/generate-types.ts`;
  const types = spawnSync(process.execPath, [generator, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  if (types.status !== 0) process.exitCode = 1;
}
