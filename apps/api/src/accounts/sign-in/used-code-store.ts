// Codes of second factors that were taken: RFC 6238 section 5.2 has each accepted once, which the library leaves out.
import { createHash } from 'node:crypto';
import type { Prisma } from '@muster/database';

/** The library takes the code of the step before and the one after, too: a code works for three steps of 30 s. */
const ACCEPTED_FOR_MS = 90_000;

/**
 * True for whoever takes the code first, in any process; of two transactions the second waits for the first. The row lies
 * with what the library remembers for minutes, which removes it when it is over. A digest of six digits hides nothing, and
 * need not: the code has been used.
 */
export const takeCode = async (
  transaction: Prisma.TransactionClient,
  { accountId, code }: { accountId: string; code: string },
  now: Date,
): Promise<boolean> => {
  const id = createHash('sha256').update(`used-code ${accountId} ${code}`).digest('base64url');
  const until = new Date(now.getTime() + ACCEPTED_FOR_MS);
  const taken = await transaction.$executeRaw`
    INSERT INTO account_verification AS used (id, identifier, value, expires_at, updated_at)
    VALUES (${id}, ${`used-code-${id}`}, 'used', ${until}, ${now})
    ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at WHERE used.expires_at <= ${now}`;
  return taken === 1;
};
