// Writes the OpenAPI documents. With --check it writes nothing and answers 1 when one is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildOpenApi } from '@muster/contract/openapi';

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

if (import.meta.main) {
  const isCheck = process.argv.includes('--check');
  for (const [path, version] of [
    ['contracts/openapi.json', '3.1.0'],
    ['contracts/openapi-3.0.json', '3.0.3'],
  ] as const) {
    const text = `${JSON.stringify(buildOpenApi({ version }), null, 2)}\n`;
    const isCurrent = readRepositoryFile(path) === text;
    if (isCheck && !isCurrent) {
      console.log(
        `${path} is not what the contract describes: run "node scripts/run.mjs openapi".`,
      );
      process.exitCode = 1;
    }
    if (isCheck) continue;
    if (!isCurrent) writeFileSync(`${ROOT}${path}`, text);
    console.log(`${path} ${isCurrent ? 'is up to date' : 'written'}`);
  }
}
