// Signs people in and changes their credentials through Better Auth. Attempts are counted before a request reaches the
// library, and the library's writes are committed together with the audit record.
import type { Prisma } from '@muster/database';
import { createSemaphore } from '../flow/index.ts';
import type { Actor } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { AccountsLibrary, createTransactionalClient } from './better-auth.ts';
import {
  ACCOUNTS_PATH,
  ADDRESS_HEADER,
  LibraryRefusal,
  pickOwnCookies,
  readBody,
  refuseFailed,
  toServiceError,
} from './better-auth.ts';
import type { IssuerOptions } from './issuer-sign-in.ts';
import { createIssuerSignIn } from './issuer-sign-in.ts';
import { refuseGuessablePassword } from './password-rules.ts';
import type { Person, PersonStore } from './person-store.ts';
import { forgetDevices } from './person-store.ts';
import type { AuthEndpoint, AuthRequest, AuthResponse } from './sign-in-endpoints.ts';
import type { Opened, SignInStore, ThrottleRule } from './sign-in-store.ts';
import type { Throttle } from './throttle.ts';
import {
  limitFirstStep,
  limitOwnChanges,
  limitPassword,
  limitRefusalRecords,
  limitSecondFactor,
  limitSignIn,
  limitSuccess,
} from './throttle.ts';

type SignInOptions = {
  getLibrary: () => Promise<AccountsLibrary>;
  origin: string;
  /** Makes the library write through the transaction. */
  runWithin: ReturnType<typeof createTransactionalClient>['runWithin'];
  store: SignInStore;
  people: Pick<PersonStore, 'findPerson'>;
  throttle: Throttle;
  now: () => Date;
  /** Absent: there is no single sign-on. */
  issuer?: IssuerOptions;
};

type Handler = (endpoint: AuthEndpoint, request: AuthRequest) => Promise<Response>;
type AfterSend = (transaction: Prisma.TransactionClient, response: Response) => Promise<unknown>;

/** Per slot group. Hashes run one at a time, so more sign-ins would wait for seconds. */
const MAX_SIGN_INS_AT_ONCE = 16;

/** The library's code for a second step without a first one. */
const NO_STEP = 'INVALID_TWO_FACTOR_COOKIE';

/** The library itself makes sure that a backup code works once. */
const TOTP_PATH = '/two-factor/verify-totp';

export const createSignInService = (options: SignInOptions) => {
  const { store, throttle, now } = options;

  const findSession = async (cookie: string) =>
    (await options.getLibrary()).findSession(new Headers({ cookie }));

  const findPendingStep = async (cookie: string) =>
    (await options.getLibrary()).findPendingStep(new Headers({ cookie }));

  /** The person whom the cookie of a first step identifies, while the second step is open. */
  const findPendingAccountId = async ({ cookie }: AuthRequest): Promise<string | undefined> => {
    const step = cookie ? await findPendingStep(cookie) : null;
    return step === null ? undefined : store.findPendingAccountId(step);
  };

  /** The session that the cookies of a response open; null where they open none. */
  const findOpened = (response: Response) => findSession(toCookieHeader(response));

  const findPerson = async ({ cookie, onPerson }: AuthRequest): Promise<Person | null> => {
    const session = cookie ? await findSession(cookie) : null;
    if (session) onPerson(session.accountId);
    return session && options.people.findPerson(session.accountId);
  };

  /** Throws LibraryRefusal. */
  const send: Handler = async (endpoint, request) => {
    const library = await options.getLibrary();
    return refuseFailed(await library.handle(toLibraryRequest(endpoint, request, options.origin)));
  };

  /**
   * Runs the library's writes and `after` in one transaction. An error of `after` rolls it back. With `signsIn`,
   * changes of that person's password wait, since they would not see and end the sign-in.
   */
  const sendInTransaction = async (
    endpoint: AuthEndpoint,
    request: AuthRequest,
    after: AfterSend,
    signsIn?: string,
  ): Promise<Response> => {
    const outcome = await store.inTransaction((transaction) =>
      options.runWithin(transaction, async () => {
        if (signsIn !== undefined) await store.holdPassword(transaction, signsIn);
        // Returned, not thrown: the library's writes about a refusal, such as a used attempt, must be committed.
        const response = await send(endpoint, request).catch(returnRefusal);
        if (response instanceof Response) await after(transaction, response);
        return response;
      }),
    );
    if (outcome instanceof Response) return outcome;
    throw outcome;
  };

  /** Counts failed attempts only. Call `refuseFull` before. Throws `rate_limited`. */
  const countFailures = async (rules: ThrottleRule[], work: () => Promise<Response>) => {
    await throttle.count(rules);
    const response = await work();
    await throttle.release(rules);
    return response;
  };

  /** Counts successful attempts only. Call `refuseFull` before. Throws `rate_limited`. */
  const countSuccesses = async (rules: ThrottleRule[], work: () => Promise<Response>) => {
    await throttle.count(rules);
    return work().catch(async (error: unknown) => {
      await throttle.release(rules);
      throw error;
    });
  };

  /** Counts a sign-in that succeeded; beyond the limit it is closed again. Throws `rate_limited`. */
  const countOpened = (rules: ThrottleRule[], opened: Opened): Promise<void> =>
    throttle.take(rules).catch(async (error: unknown) => {
      await store.closeOpened(opened);
      throw error;
    });

  /** Counts and records a sign-in before its cookies are sent. Throws `rate_limited`. */
  const recordSignIn = async (
    session: { accountId: string; signInId: string } | null,
    request: AuthRequest,
  ): Promise<void> => {
    if (!session) return;
    const { accountId, signInId } = session;
    await countOpened(limitSuccess(accountId), { sessionId: signInId });
    await store.recordSignIn({ ...toVisitor(request), accountId }, signInId, now());
    await throttle.noteSignIn(request.address, accountId);
  };

  /** For `catch`: records a refusal, unless too many were recorded recently, and throws it. */
  const recordRefusal =
    (request: AuthRequest) =>
    async (error: unknown): Promise<never> => {
      if (!(error instanceof LibraryRefusal)) throw error;
      const { email } = request.body as { email?: string };
      const mayRecord = await throttle.take(limitRefusalRecords()).then(
        () => true,
        () => false,
      );
      if (mayRecord) await store.recordRefusal(toVisitor(request), email, now());
      throw toServiceError(error);
    };

  const recordChange = (
    transaction: Prisma.TransactionClient,
    request: AuthRequest,
    accountId: string,
    action: string,
  ) => store.recordChange({ ...toVisitor(request), accountId }, action, transaction, now());

  /** Each change holds a database connection while it hashes. */
  const serializeChange = createSemaphore(1);

  const runningSignIns = new Map<string, number>();
  /** An attempt that this rejects is not counted. */
  const withSignInSlot = async (
    group: string,
    work: () => Promise<Response>,
  ): Promise<Response> => {
    const running = runningSignIns.get(group) ?? 0;
    if (running >= MAX_SIGN_INS_AT_ONCE) throw new ServiceError('service_unavailable');
    runningSignIns.set(group, running + 1);
    return work().finally(() => {
      const left = (runningSignIns.get(group) ?? 1) - 1;
      if (left > 0) runningSignIns.set(group, left);
      else runningSignIns.delete(group);
    });
  };

  const issuerSignIn =
    options.issuer &&
    createIssuerSignIn({ ...options, ...options.issuer, recordSignIn, toHeaders, toVisitor });

  const handlers: Record<AuthEndpoint['kind'], Handler> = {
    'sign-in': async (endpoint, request) => {
      const { email } = request.body as { email: string };
      const { address } = request;
      // Unknown addresses cause the same queries, so that the response time does not reveal known addresses.
      const login = await store.findLogin(email);
      const hasSignedIn = await throttle.hasSignedIn(address, login?.accountId ?? 'nobody');
      const rules = limitSignIn(address, email, hasSignedIn);
      // Before a slot is taken, so that refused attempts do not make others wait.
      await throttle.refuseFull(rules);
      // All strangers use the same slots. A person who has signed in here before has separate ones.
      return withSignInSlot(hasSignedIn ? `${rules[0]?.key}` : 'strangers', async () => {
        const response = await countFailures(rules, () =>
          send(endpoint, request).catch(recordRefusal(request)),
        );
        const session = await findOpened(response);
        const step = await findPendingStep(toCookieHeader(response));
        const opened = { sessionId: session?.signInId, step };
        const isKept = await store.keepOpened(login, opened);
        if (!login || !isKept) throw new ServiceError('sign_in_refused');
        if (!session) await countOpened(limitFirstStep(address, login.accountId), opened);
        await recordSignIn(session, request);
        return response;
      });
    },

    /** The second step of a sign-in, or the proof that a new second factor works. */
    'second-factor': async (endpoint, request) => {
      const person = await findPerson(request);
      const accountId = person?.accountId ?? (await findPendingAccountId(request));
      const checkCode: AfterSend = async (transaction, response) => {
        if (request.path !== TOTP_PATH) return;
        const accountId = person?.accountId ?? (await readPersonId(response));
        const { code } = request.body as { code: string };
        const isFirstUse = await store.takeCode(transaction, { accountId, code }, now());
        if (!isFirstUse) throw new LibraryRefusal(401, { code: 'INVALID_CODE' });
        if (!person || person.twoFactorEnabled) return;
        await recordChange(transaction, request, person.accountId, 'auth.enableTwoFactor');
      };
      const check = async () => {
        // The library would find no person either. If it ever did, nothing would be counted for that person.
        if (accountId === undefined) throw new LibraryRefusal(401, { code: NO_STEP });
        return sendInTransaction(endpoint, request, checkCode, accountId);
      };
      const rules = limitSecondFactor(request.address, accountId);
      await throttle.refuseFull(rules);
      const response = await countFailures(rules, () => check().catch(recordRefusal(request)));
      if (!person) await recordSignIn(await findOpened(response), request);
      return response;
    },

    /** A change that a signed-in person confirms with the password. */
    change: async (endpoint, request) => {
      const person = await findPerson(request);
      if (!person) throw new ServiceError('auth_session_ended');
      const isOwnPassword = request.path === '/change-password';
      const isForgetting = isOwnPassword || request.path === '/two-factor/disable';
      if (isOwnPassword) await refuseUnfitPassword(request.body, person);
      else if (person.mustChangePassword) throw new ServiceError('password_change_required');
      const { accountId } = person;
      const send = () =>
        serializeChange(() =>
          sendInTransaction(endpoint, request, async (transaction) => {
            if (isOwnPassword) await store.acceptOwnPassword(accountId, transaction);
            if (isForgetting) await forgetDevices(transaction, accountId);
            await recordChange(transaction, request, accountId, endpoint.action ?? request.path);
          }),
        );
      const [ownChanges, password] = [limitOwnChanges(accountId), limitPassword(accountId)];
      await throttle.refuseFull([...ownChanges, ...password]);
      return countSuccesses(ownChanges, () => countFailures(password, send));
    },

    session: async (endpoint, request) => {
      const { action } = endpoint;
      if (!action) return send(endpoint, request);
      const person = await findPerson(request);
      return sendInTransaction(endpoint, request, async (transaction) => {
        if (person) await recordChange(transaction, request, person.accountId, action);
      });
    },

    issuer: ({ method }, request) => {
      if (!issuerSignIn) throw new ServiceError('route_not_found');
      return method === 'POST' ? issuerSignIn.begin(request) : issuerSignIn.finish(request);
    },
  };

  return {
    /** Errors: those of signing in, `rate_limited`, `auth_session_ended`, `password_change_required`. */
    handle: async (endpoint: AuthEndpoint, received: AuthRequest): Promise<AuthResponse> => {
      const request = takeNeeded(endpoint, received);
      const response = await handlers[endpoint.kind](endpoint, request).catch((error: unknown) => {
        throw error instanceof LibraryRefusal ? toServiceError(error) : error;
      });
      return toAuthResponse(response);
    },
  };
};

/** Issuers respond with a few hundred characters. */
const MAX_QUERY_LENGTH = 8_192;

/** The library's input before the sender is authenticated: its own cookies, and the query of an issuer's redirect. */
const takeNeeded = (
  endpoint: AuthEndpoint,
  { cookie, query, ...rest }: AuthRequest,
): AuthRequest => ({
  ...rest,
  query: endpoint.kind === 'issuer' && query.length <= MAX_QUERY_LENGTH ? query : '',
  ...(cookie !== undefined && { cookie: pickOwnCookies(cookie) }),
});

const returnRefusal = (error: unknown): LibraryRefusal => {
  if (error instanceof LibraryRefusal) return error;
  throw error;
};

const refuseUnfitPassword = async (body: unknown, { email, name }: Person): Promise<void> => {
  const { currentPassword, newPassword } = body as Record<string, unknown>;
  if (currentPassword === newPassword) {
    const desc = 'The new password must differ from the current one.';
    throw new ServiceError('password_unfit', { desc });
  }
  const password = String(newPassword);
  await refuseGuessablePassword({ password, place: 'newPassword', email, name });
};

const readPersonId = async (response: Response): Promise<string> =>
  ((await readBody(response)) as { user: { id: string } }).user.id;

/** The cookies of a response as a browser would send them with its next request. */
const toCookieHeader = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .join('; ');

const toVisitor = ({ requestId, address }: AuthRequest): Omit<Actor, 'accountId'> => ({
  requestId,
  ...(address && { address }),
});

/** The headers that the library reads: cookies, and the address and browser of a new session. */
const toHeaders = ({ cookie, userAgent, address }: AuthRequest): Headers =>
  new Headers({
    ...(cookie && { cookie }),
    ...(userAgent && { 'user-agent': userAgent }),
    ...(address && { [ADDRESS_HEADER]: address }),
  });

/** The HTTP layer has already compared the origin, so the library receives its own. */
const toLibraryRequest = (endpoint: AuthEndpoint, request: AuthRequest, origin: string): Request =>
  new Request(`${origin}${ACCOUNTS_PATH}${request.path}${request.query}`, {
    method: endpoint.method,
    headers: {
      ...Object.fromEntries(toHeaders(request)),
      origin,
      ...(endpoint.method === 'POST' && { 'content-type': 'application/json' }),
    },
    ...(endpoint.method === 'POST' && { body: JSON.stringify(request.body ?? {}) }),
  });

const toAuthResponse = async (response: Response): Promise<AuthResponse> => {
  const { status, headers } = response;
  const location = headers.get('location');
  const cookies = headers.getSetCookie();
  if (status >= 300 && status < 400 && location !== null) return { status, cookies, location };
  return { status, body: withoutTokens(await readBody(response)), cookies };
};

/** The token belongs in the cookie, which scripts of a page cannot read. */
const withoutTokens = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null) return body;
  const { token: _, session, ...rest } = body as Record<string, unknown>;
  return session === undefined ? rest : { ...rest, session: withoutTokens(session) };
};
