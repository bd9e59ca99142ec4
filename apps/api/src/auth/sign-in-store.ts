// The rows that sign-ins write: audit records, used codes, and counted attempts.
import { createHash } from 'node:crypto';
import type { Database, Prisma } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { Actor, ServiceError } from '../platform/index.ts';
import { appendAudit } from '../platform/index.ts';
import type { Identity } from './oidc-issuer.ts';

export type SignInStore = ReturnType<typeof createSignInStore>;

/** The actor of a refused sign-in. */
const ANONYMOUS = 'anonymous';

/** The library also accepts the codes of the step before and after, so a code works for three steps of 30 s. */
const CODE_LIFETIME_MS = 90_000;

const PASSWORD = { providerId: 'credential' };

type Login = { accountId: string; hash: string | null };

/** The person's hash. Waits for a change that is in progress; later changes wait for the end of this transaction. */
const holdPassword = async (
  transaction: Prisma.TransactionClient,
  accountId: string,
): Promise<string | null> => {
  const [row] = await transaction.$queryRaw<{ password: string | null }[]>`
    SELECT password FROM account_login
    WHERE user_id = ${accountId} AND provider_id = ${PASSWORD.providerId} FOR SHARE`;
  return row?.password ?? null;
};

/** A session, or a step that waits for the second factor. */
export type Opened = { sessionId?: string | undefined; step?: string | null };

const closeOpened = async (
  database: Pick<Prisma.TransactionClient, 'accountSession' | 'accountVerification'>,
  { sessionId, step: identifier }: Opened,
): Promise<void> => {
  if (sessionId) await database.accountSession.deleteMany({ where: { id: sessionId } });
  if (identifier) await database.accountVerification.deleteMany({ where: { identifier } });
};

/** Per person. With more, the oldest sign-in ends. */
const MAX_SIGN_INS = 1_000;
/** The following sign-ins delete the rest. */
const MAX_ENDED_AT_ONCE = 1_000;

const endOldest = async (
  transaction: Prisma.TransactionClient,
  userId: string,
  sessionId: string,
): Promise<void> => {
  const oldest = await transaction.accountSession.findMany({
    where: { userId, id: { not: sessionId } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    skip: MAX_SIGN_INS - 1,
    take: MAX_ENDED_AT_ONCE,
    select: { id: true },
  });
  if (oldest.length === 0) return;
  const where = { id: { in: oldest.map(({ id }) => id) } };
  await transaction.accountSession.deleteMany({ where });
};

/** Prepared, since strangers cause this query with every attempt, including refused ones. */
const FIND_LOGIN = {
  name: 'find_account_login',
  text: `
    SELECT l.user_id AS "accountId", l.password AS hash
    FROM account_user u JOIN account_login l ON l.user_id = u.id AND l.provider_id = $2
    WHERE u.email = $1`,
};

export const createSignInStore = ({ prisma, pool }: Pick<Database, 'prisma' | 'pool'>) => ({
  inTransaction: <Result>(work: (transaction: Prisma.TransactionClient) => Promise<Result>) =>
    prisma.$transaction(work),

  /** The password login of an e-mail address. One query, so that unknown addresses take as long as known ones. */
  findLogin: async (email: string): Promise<Login | undefined> =>
    (await runPrepared<Login>(pool, FIND_LOGIN, [email, PASSWORD.providerId]))[0],

  /**
   * Returns false and closes the new session when the password was replaced since `login` was read. A later replacement
   * finds the session and closes it.
   */
  keepOpened: (login: Login | undefined, opened: Opened): Promise<boolean> =>
    prisma.$transaction(async (transaction) => {
      const { accountId = '', hash = null } = login ?? {};
      if (hash !== null && (await holdPassword(transaction, accountId)) === hash) return true;
      await closeOpened(transaction, opened);
      return false;
    }),

  closeOpened: (opened: Opened): Promise<void> => closeOpened(prisma, opened),

  holdPassword,

  /** The person whose sign-in waits for the second factor. */
  findPendingAccountId: async (identifier: string): Promise<string | undefined> =>
    (await prisma.accountVerification.findFirst({ where: { identifier } }))?.value,

  /** Also ends the oldest sign-ins of a person with too many. */
  recordSignIn: (actor: Actor, sessionId: string, now: Date) =>
    prisma.$transaction(async (transaction) => {
      const { accountId } = actor;
      await endOldest(transaction, accountId, sessionId);
      await transaction.accountUser.update({
        where: { id: accountId },
        data: { lastSignedInAt: now },
      });
      const entry = { action: 'auth.signIn', target: { account_id: accountId } };
      await appendAudit(transaction, actor, entry, now);
    }),

  /** Stores the id of the person, never the address, since people type passwords into that field. */
  recordRefusal: async (from: Omit<Actor, 'accountId'>, email: string | undefined, now: Date) => {
    const named =
      email === undefined ? null : await prisma.accountUser.findUnique({ where: { email } });
    const target = named ? { account_id: named.id } : {};
    const actor = { ...from, accountId: ANONYMOUS };
    await appendAudit(prisma, actor, { action: 'auth.signInRefused', target }, now);
  },

  /** A refused single sign-on. `identity` is absent when the issuer returned no valid one. */
  recordIssuerRefusal: async (
    from: Omit<Actor, 'accountId'>,
    { message, evidence }: ServiceError,
    identity: Identity | undefined,
    now: Date,
  ) => {
    const { accountId, reason = message } = evidence;
    const entry = {
      action: 'auth.signInRefused',
      target: accountId === undefined ? {} : { account_id: accountId },
      ...(identity && { after: { issuer: identity.issuer, subject: identity.subject } }),
      reason,
    };
    await appendAudit(prisma, { ...from, accountId: ANONYMOUS }, entry, now);
  },

  recordChange: (actor: Actor, action: string, transaction: Prisma.TransactionClient, now: Date) =>
    appendAudit(transaction, actor, { action, target: { account_id: actor.accountId } }, now),

  acceptOwnPassword: async (accountId: string, transaction: Prisma.TransactionClient) => {
    await transaction.accountUser.update({
      where: { id: accountId },
      data: { mustChangePassword: false },
    });
  },

  /**
   * Returns true for the first use of a TOTP code in any process, which RFC 6238 section 5.2 requires and the library
   * does not check. A concurrent transaction waits for the first one. The row is among the library's verifications,
   * which the library deletes when they expire. A digest of six digits hides nothing, but the code is used up.
   */
  takeCode: async (
    transaction: Prisma.TransactionClient,
    { accountId, code }: { accountId: string; code: string },
    now: Date,
  ): Promise<boolean> => {
    const id = createHash('sha256').update(`used-code ${accountId} ${code}`).digest('base64url');
    const until = new Date(now.getTime() + CODE_LIFETIME_MS);
    const taken = await transaction.$executeRaw`
      INSERT INTO account_verification AS used (id, identifier, value, expires_at, updated_at)
      VALUES (${id}, ${`used-code-${id}`}, 'used', ${until}, ${now})
      ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at WHERE used.expires_at <= ${now}`;
    return taken === 1;
  },
});

// Attempts within fixed windows. One statement counts each attempt, so that two processes cannot both take the last
// one.

/** A window begins with its first attempt. Counting stops at the limit, so that waiting always helps. */
const TAKE = {
  name: 'take_account_attempt',
  text: `
    INSERT INTO account_throttle AS t (key, attempts, window_started_at) VALUES ($1, 1, $4)
    ON CONFLICT (key) DO UPDATE SET
      attempts = CASE WHEN t.window_started_at <= $3::timestamptz THEN 1
                      ELSE least(t.attempts, $2) + 1 END,
      window_started_at = CASE WHEN t.window_started_at <= $3::timestamptz
                               THEN $4 ELSE t.window_started_at END
    RETURNING attempts, window_started_at AS "windowStartedAt"`,
};

const FIND_ATTEMPTS = {
  name: 'find_account_attempts',
  text: `
    SELECT key, attempts, window_started_at AS "windowStartedAt"
    FROM account_throttle WHERE key = ANY($1::text[])`,
};

const GIVE_BACK = {
  name: 'give_back_account_attempt',
  text: 'UPDATE account_throttle SET attempts = attempts - 1 WHERE key = $1 AND attempts > 0',
};

// Rows that note from where a person has signed in are stored with the attempts. Each sign-in renews its window.

export const NOTE_PREFIX = 'signed-in:';
export const NOTE_MS = 90 * 86_400_000;

const NOTE = {
  name: 'note_account_sign_in',
  text: `
    INSERT INTO account_throttle (key, attempts, window_started_at) VALUES ($1, 1, $2)
    ON CONFLICT (key) DO UPDATE SET window_started_at = excluded.window_started_at`,
};

const FIND_NOTE = {
  name: 'find_account_sign_in',
  text: 'SELECT 1 FROM account_throttle WHERE key = $1 AND window_started_at >= $2',
};

type Attempt = { attempts: number; windowStartedAt: Date };
export type ThrottleRule = { key: string; limit: number; windowSeconds: number };
export type ThrottleStore = ReturnType<typeof createThrottleStore>;

/** A window that began by this time is over. */
const endedBy = ({ windowSeconds }: Pick<ThrottleRule, 'windowSeconds'>, now: Date): Date =>
  new Date(now.getTime() - windowSeconds * 1_000);

export const createThrottleStore = ({ pool }: Database) => ({
  /** The first rule that already refuses an attempt, with the beginning of its window. Writes nothing. */
  findFull: async (
    rules: readonly ThrottleRule[],
    now: Date,
  ): Promise<{ rule: ThrottleRule; windowStartedAt: Date } | undefined> => {
    const keys = rules.map(({ key }) => key);
    const rows = await runPrepared<Attempt & { key: string }>(pool, FIND_ATTEMPTS, [keys]);
    const attemptsOf = new Map(rows.map((row) => [row.key, row]));
    for (const rule of rules) {
      const { attempts = 0, windowStartedAt = now } = attemptsOf.get(rule.key) ?? {};
      if (attempts > rule.limit && windowStartedAt > endedBy(rule, now))
        return { rule, windowStartedAt };
    }
    return undefined;
  },
  take: async ({ key, limit, windowSeconds }: ThrottleRule, now: Date): Promise<Attempt> => {
    // Computed here, since Citus only supports immutable expressions in updates.
    const overSince = endedBy({ windowSeconds }, now);
    const [row] = await runPrepared<Attempt>(pool, TAKE, [key, limit, overSince, now]);
    return row ?? { attempts: 1, windowStartedAt: now };
  },
  uncount: async (key: string): Promise<void> => {
    await runPrepared(pool, GIVE_BACK, [key]);
  },
  note: async (key: string, now: Date): Promise<void> => {
    await runPrepared(pool, NOTE, [key, now]);
  },
  isNoted: async (key: string, now: Date): Promise<boolean> => {
    const from = new Date(now.getTime() - NOTE_MS);
    return (await runPrepared(pool, FIND_NOTE, [key, from])).length > 0;
  },
});
