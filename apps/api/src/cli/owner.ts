// Lists the owners, and resets the password of one who cannot sign in.
import type { Database } from '@muster/database';
import type { Person } from '../auth/index.ts';
import { Email, listOwners, resetOwner } from '../auth/index.ts';
import { loadConfig, StartError } from '../platform/index.ts';
import { deleteOwnerPasswordFile } from './owner-password.ts';
import { UsageError } from './usage-error.ts';
import { report, withDatabase } from './with-database.ts';

export const runOwnerList = (): Promise<void> =>
  withDatabase(loadConfig(process.env), async (database) => {
    const owners = await listOwners(database);
    process.stdout.write(owners.map((owner) => `${describe(owner)}\n`).join(''));
    if (owners.length === 0) report(NO_OWNER);
  });

type ResetOptions = { email?: string; create?: boolean };

/** The password is the only line on standard output. Throws UsageError, StartError and errors of the database. */
export const runOwnerReset = async ({ email, create = false }: ResetOptions): Promise<void> => {
  const config = loadConfig(process.env);
  const given = email === undefined ? undefined : readEmail(email);
  if (create && given === undefined) throw new UsageError('--create needs --email');
  await withDatabase(config, async (database) => {
    const address = given ?? (await findOnlyOwner(database));
    const beforeCommit = () => deleteOwnerPasswordFile(config.dataDir);
    const password = await resetOwner(database, { email: address, create, beforeCommit });
    if (password === null) {
      throw new StartError(
        `${address} is no owner. The command "owner list" lists the owners; --create makes this address one.`,
      );
    }
    report(
      `${address} signs in with the one-time password below and then chooses another one. Every earlier sign-in, the second factor and the identities of single sign-on are removed. Service accounts and API keys still work: review them.`,
    );
    process.stdout.write(`${password}\n`);
  });
};

const readEmail = (text: string): string => {
  const { success, data } = Email.safeParse(text);
  if (!success) throw new UsageError(`--email ${text} is not an e-mail address`);
  return data;
};

const NO_OWNER =
  'There is no owner: make one with --email <address> --create. In an empty database, the first start of the service makes one.';

/** Throws StartError when there are several, or none. */
const findOnlyOwner = async (database: Database): Promise<string> => {
  const owners = await listOwners(database);
  const [owner] = owners;
  if (!owner) throw new StartError(NO_OWNER);
  if (owners.length === 1) return owner.email;
  throw new StartError(
    `There are ${owners.length} owners: choose one with --email.\n${owners.map(describe).join('\n')}`,
  );
};

const describe = (owner: Person): string =>
  [
    owner.email,
    owner.lastSignedInAt
      ? `last signed in ${owner.lastSignedInAt.toISOString()}`
      : 'never signed in',
    ...(owner.mustChangePassword ? ['has a one-time password'] : []),
    ...(owner.twoFactorEnabled ? ['second factor'] : []),
    ...(owner.disabled ? ['disabled'] : []),
  ].join(', ');
