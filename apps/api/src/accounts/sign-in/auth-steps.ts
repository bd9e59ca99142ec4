// The steps that requests to the accounts library are made of: counting, passing on, keeping records.
import type { Prisma } from '@muster/database';
import type { Actor } from '../../audit/index.ts';
import type { AccountsLibrary } from '../library/create-library.ts';
import { ACCOUNTS_PATH, ADDRESS_HEADER } from '../library/library-options.ts';
import type { Person, PersonStore } from '../people/person-store.ts';
import { toCookieHeader } from './auth-answer.ts';
import type { AuthCall } from './auth-call.ts';
import type { AuthEndpoint } from './auth-endpoints.ts';
import { LibraryRefusal, refuseFailed, toRefusal } from './auth-refusal.ts';
import type { SignInStore } from './sign-in-store.ts';
import type { Throttle } from './throttle.ts';
import { limitRefusalRecords } from './throttle-rules.ts';
import type { ThrottleRule } from './throttle-store.ts';
import { takeCode } from './used-code-store.ts';

export type AuthParts = {
  /** The library for people, or the one that also knows the issuer. */
  getLibrary: (kind: 'people' | 'issuer') => Promise<AccountsLibrary>;
  origin: string;
  within: <Result>(
    transaction: Prisma.TransactionClient,
    work: () => Promise<Result>,
  ) => Promise<Result>;
  store: SignInStore;
  people: Pick<PersonStore, 'findPerson'>;
  throttle: Throttle;
  now: () => Date;
};

export type AuthSteps = {
  /** Throws LibraryRefusal. */
  send(endpoint: AuthEndpoint, call: AuthCall): Promise<Response>;
  /** The same with all that the library writes, and `after`, in one transaction. What `after` throws undoes it. */
  sendInTransaction(endpoint: AuthEndpoint, call: AuthCall, after: After): Promise<Response>;
  /** Who is signed in by the cookies of the request. */
  findPerson(call: AuthCall): Promise<Person | null>;
  /** A failed attempt stays counted, a successful one was none. Throws `rate_limited`. */
  counted(rules: ThrottleRule[], work: () => Promise<Response>): Promise<Response>;
  /** Writes down who is signed in by the cookies of the answer, before they are handed out. */
  recordSignIn(answer: Response, call: AuthCall): Promise<void>;
  /** Writes a refusal down and throws it. */
  recordRefusal(error: unknown, call: AuthCall): Promise<never>;
  /** Throws LibraryRefusal for a code that was taken before. */
  takeCode(transaction: Prisma.TransactionClient, taken: TakenCode): Promise<void>;
  recordChange(transaction: Prisma.TransactionClient, change: RecordedChange): Promise<void>;
};

type After = (transaction: Prisma.TransactionClient, answer: Response) => Promise<void>;
type TakenCode = { accountId: string; code: string };
export type RecordedChange = { call: AuthCall; accountId: string; action: string };

export const createAuthSteps = (parts: AuthParts): AuthSteps => {
  const { store, throttle, now } = parts;
  const findAccountId = async (cookie: string): Promise<string | undefined> => {
    const library = await parts.getLibrary('people');
    return (await library.findSession(new Headers({ cookie })))?.accountId;
  };
  const send: AuthSteps['send'] = async (endpoint, call) => {
    const library = await parts.getLibrary(endpoint.kind === 'issuer' ? 'issuer' : 'people');
    return refuseFailed(await library.handle(toRequest(endpoint, call, parts.origin)));
  };

  return {
    send,
    sendInTransaction: async (endpoint, call, after) => {
      const outcome = await store.inTransaction((transaction) =>
        parts.within(transaction, async () => {
          const answer = await send(endpoint, call).catch(keepRefusal);
          if (answer instanceof Response) await after(transaction, answer);
          return answer;
        }),
      );
      if (outcome instanceof Response) return outcome;
      throw outcome;
    },
    findPerson: async ({ cookie }) => {
      const accountId = cookie && (await findAccountId(cookie));
      return accountId ? parts.people.findPerson(accountId) : null;
    },
    counted: async (rules, work) => {
      await throttle.take(rules);
      const answer = await work();
      await throttle.giveBack(rules);
      return answer;
    },
    recordSignIn: async (answer, call) => {
      const accountId = await findAccountId(toCookieHeader(answer));
      if (accountId) await store.recordSignIn({ ...toVisitor(call), accountId }, now());
    },
    recordRefusal: async (error, call) => {
      if (!(error instanceof LibraryRefusal)) throw error;
      const { email } = call.body as { email?: string };
      const isBounded = await throttle.take(limitRefusalRecords()).then(
        () => true,
        () => false,
      );
      if (isBounded) await store.recordRefusal(toVisitor(call), email, now());
      throw toRefusal(error);
    },
    takeCode: async (transaction, taken) => {
      if (await takeCode(transaction, taken, now())) return;
      throw new LibraryRefusal(401, { code: 'INVALID_CODE' });
    },
    recordChange: (transaction, { call, accountId, action }) =>
      store.recordChange({ ...toVisitor(call), accountId }, action, transaction, now()),
  };
};

/** What the library wrote about a refusal, such as a spent attempt, has to be committed. */
const keepRefusal = (error: unknown): LibraryRefusal => {
  if (error instanceof LibraryRefusal) return error;
  throw error;
};

const toVisitor = ({ requestId, address }: AuthCall): Omit<Actor, 'accountId'> => ({
  requestId,
  ...(address && { address }),
});

/** The edge has compared the origin already; the library sees its own. */
const toRequest = (endpoint: AuthEndpoint, call: AuthCall, origin: string): Request =>
  new Request(`${origin}${ACCOUNTS_PATH}${call.path}${call.query}`, {
    method: endpoint.method,
    headers: {
      origin,
      ...(call.cookie && { cookie: call.cookie }),
      ...(call.userAgent && { 'user-agent': call.userAgent }),
      ...(call.address && { [ADDRESS_HEADER]: call.address }),
      ...(endpoint.method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(endpoint.method === 'POST' && { body: JSON.stringify(call.body ?? {}) }),
  });
