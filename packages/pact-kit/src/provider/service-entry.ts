// Where the service and its guard are: built files beside this one, or the sources of the repository.
// The service is never imported: it is a program that the kit starts by its path.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Problem } from '../problem.ts';

export type ServiceEntry = { guard: string; service: string };

const isSource = import.meta.url.endsWith('.ts');

const locate = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Throws Problem when the service is not there. */
export const findServiceEntry = (): ServiceEntry => {
  const entry = isSource
    ? {
        guard: locate('./guard.ts'),
        service: locate('../../../../apps/api/src/main.ts'),
      }
    : {
        guard: locate('./service/apps/api/src/guard.js'),
        service: locate('./service/apps/api/src/main.js'),
      };
  if (existsSync(entry.guard) && existsSync(entry.service)) return entry;
  throw new Problem(
    `The service that the kit brings along is not at ${entry.service}: install @muster/pact-kit again.`,
  );
};
