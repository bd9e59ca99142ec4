// The first person of a new service: an owner with a one-time password.
import type { Database } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { appendAudit } from '../audit/index.ts';
import { hashPassword, makeOneTimePassword } from './people/passwords.ts';
import type { Person } from './people/person-store.ts';
import {
  insertPerson,
  isFirstOwnerWaiting,
  lockPeople,
  replacePassword,
  toPerson,
} from './people/person-store.ts';

export type FirstOwner = { email: string; oneTimePassword: string };

/** Processes that start together must not replace the password that one of them has just shown. */
const SHOWN_FOR_MS = 60_000;
const ACTOR = { accountId: 'muster' };

/**
 * Makes the owner when there is nobody yet, and a new one-time password while the only owner has never
 * signed in, since nobody can have used the one before. Null when people look after themselves.
 */
export const ensureFirstOwner = async (
  { prisma, pool }: Pick<Database, 'prisma' | 'pool'>,
  email: string,
  now: Date = new Date(),
): Promise<FirstOwner | null> => {
  const shownBefore = new Date(now.getTime() - SHOWN_FOR_MS);
  if (!(await isFirstOwnerWaiting(pool, shownBefore))) return null;
  const oneTimePassword = makeOneTimePassword();
  const passwordHash = await hashPassword(oneTimePassword);
  return prisma.$transaction(async (transaction) => {
    await lockPeople(transaction);
    const rows = await transaction.accountUser.findMany({ take: 2 });
    if (!isWaiting(rows.map(toPerson))) return null;
    const [row] = rows;
    if (row && now.getTime() - row.updatedAt.getTime() < SHOWN_FOR_MS) return null;
    const accountId = row?.id ?? uuidv7();
    if (row) {
      await replacePassword(transaction, accountId, passwordHash, now);
    } else {
      const person = { name: 'Owner', email, role: 'owner', mustChangePassword: true } as const;
      await insertPerson(transaction, { accountId, ...person, passwordHash, now });
    }
    const entry = { action: 'people.createFirstOwner', target: { account_id: accountId } };
    await appendAudit(transaction, ACTOR, entry, now);
    return { email: row?.email ?? email, oneTimePassword };
  });
};

/** True while nobody is there, or only an owner who has never signed in. */
const isWaiting = ([first, second]: Person[]): boolean =>
  first === undefined ||
  (second === undefined && first.mustChangePassword && first.lastSignedInAt === undefined);
