// When the PostgreSQL of the installation is the wrong choice.
import type { Config } from '../platform/index.ts';
import { isLoopbackHost } from '../platform/index.ts';

const PROBLEM =
  'The built-in PostgreSQL is for evaluation and small studios, and other machines can reach this service: set DATABASE_URL to a PostgreSQL that gets security updates.';

/** The warning for a service with a public address; null when only this machine can reach it. */
export const warnOfBuiltInPostgres = ({
  host,
  accounts: { publicUrl },
}: Pick<Config, 'host' | 'accounts'>): string | null => {
  const isPrivate = isLoopbackHost(host) && (!publicUrl || isLoopbackHost(publicUrl.hostname));
  return isPrivate ? null : PROBLEM;
};
