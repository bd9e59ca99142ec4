// How the first owner signs in: the one-time password is shown only where nobody else can read it.
import type { FirstOwner } from '../accounts/index.ts';
import type { Config } from '../config/index.ts';
import { isLoopbackHost } from '../config/index.ts';
import { writePrivately } from './write-privately.ts';

/** Lines for the welcome; none when people look after themselves. */
export const describeSignIn = async (
  { host, dataDir, accounts }: Pick<Config, 'host' | 'dataDir' | 'accounts'>,
  owner: FirstOwner | null,
  baseUrl: string,
): Promise<string[]> => {
  const url = accounts.publicUrl?.origin ?? baseUrl;
  if (!owner) return [`Sign in at ${url}`];
  const password = isLoopbackHost(host)
    ? `  one-time password: ${owner.oneTimePassword}`
    : `  one-time password: in ${await writePrivately(dataDir, 'owner-password', owner.oneTimePassword)}`;
  return [
    `Sign in at ${url} and choose a password of your own:`,
    `  e-mail: ${owner.email}`,
    password,
  ];
};
