// The first person of a new service: an owner with a one-time password.
import type { Database } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { appendAudit } from '../platform/index.ts';
import { hashPassword } from './better-auth.ts';
import { makeOneTimePassword } from './people.ts';
import type { Person } from './person-store.ts';
import {
  insertPerson,
  lockAccounts,
  needsFirstOwner,
  replacePassword,
  toPerson,
} from './person-store.ts';

type FirstOwner = { email: string; oneTimePassword: string };

/** Processes that start together must not replace the password that one of them has just printed. */
const REPLACE_AFTER_MS = 60_000;
const ACTOR = { accountId: 'muster' };

/**
 * Creates the owner when there are no people yet, and a new one-time password while the only owner has never signed in.
 * Null in every other case. Only a hash is stored. `deliver` receives the password before the commit: when it throws,
 * nothing changes.
 */
export const ensureFirstOwner = async (
  { prisma, pool }: Pick<Database, 'prisma' | 'pool'>,
  email: string,
  deliver: (owner: FirstOwner) => Promise<void>,
  now: Date = new Date(),
): Promise<FirstOwner | null> => {
  const printedBefore = new Date(now.getTime() - REPLACE_AFTER_MS);
  if (!(await needsFirstOwner(pool, printedBefore))) return null;
  const oneTimePassword = makeOneTimePassword();
  const passwordHash = await hashPassword(oneTimePassword);
  return prisma.$transaction(async (transaction) => {
    await lockAccounts(transaction);
    const rows = await transaction.accountUser.findMany({ take: 2 });
    if (!isOwnerPending(rows.map(toPerson))) return null;
    const [row] = rows;
    if (row && now.getTime() - row.updatedAt.getTime() < REPLACE_AFTER_MS) return null;
    const accountId = row?.id ?? uuidv7();
    if (row) {
      await replacePassword(transaction, accountId, passwordHash, now);
    } else {
      const person = { name: 'Owner', email, role: 'owner', mustChangePassword: true } as const;
      await insertPerson(transaction, { accountId, ...person, passwordHash, now });
    }
    const entry = { action: 'people.createFirstOwner', target: { account_id: accountId } };
    await appendAudit(transaction, ACTOR, entry, now);
    const owner = { email: row?.email ?? email, oneTimePassword };
    await deliver(owner);
    return owner;
  });
};

/** True while there are no people, or only an owner who has never signed in. */
const isOwnerPending = ([first, second]: Person[]): boolean =>
  first === undefined ||
  (second === undefined && first.mustChangePassword && first.lastSignedInAt === undefined);
