// The one-time password of the first owner: printed on a terminal, or stored in a private file until the owner has
// changed it.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@muster/database';
import { ensureFirstOwner, findOwnerWithOneTimePassword } from '../auth/index.ts';
import type { Config } from '../platform/index.ts';
import { deletePrivateFile, replacePrivateFile } from '../platform/index.ts';

/** How the first owner signs in: with a password that may be printed, or with the one in a file. */
export type OwnerNotice = { email: string } & ({ oneTimePassword: string } | { file: string });

const FILE_NAME = 'owner-password';

/** Call this when the password in the file is replaced. Throws StartError. */
export const deleteOwnerPasswordFile = (dataDir: string): Promise<void> =>
  deletePrivateFile(dataDir, FILE_NAME);

type Parts = {
  database: Pick<Database, 'prisma' | 'pool'>;
  config: Pick<Config, 'dataDir' | 'accounts'>;
  /** False: the password is written to DATA_DIR/owner-password with mode 0600. */
  showsSecrets: boolean;
};

/**
 * Makes the first owner, or a new one-time password while that owner has never signed in. Null when no one-time
 * password is needed, or another process has it. Deletes a file whose password is no longer valid. Throws StartError
 * when the file cannot be written or deleted.
 */
export const prepareFirstOwner = async (parts: Parts): Promise<OwnerNotice | null> => {
  const { database, config, showsSecrets } = parts;
  const { dataDir, accounts } = config;
  const file = join(dataDir, FILE_NAME);
  const owner = await ensureFirstOwner(
    database,
    accounts.ownerEmail,
    async ({ oneTimePassword }) => {
      if (!showsSecrets) await replacePrivateFile(dataDir, FILE_NAME, oneTimePassword);
    },
  );
  if (owner && !showsSecrets) return { email: owner.email, file };
  if (owner === null) {
    if (!(await exists(file))) return null;
    const email = await findOwnerWithOneTimePassword(database.pool);
    if (email !== null) return { email, file };
  }
  await deleteOwnerPasswordFile(dataDir);
  return owner;
};

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
