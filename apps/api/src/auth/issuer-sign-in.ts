// Single sign-on: redirects the browser to the issuer, and opens a session for the identity that the issuer returns.
import { randomBytes } from 'node:crypto';
import type { Actor } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { AccountsLibrary, createTransactionalClient } from './better-auth.ts';
import type { createIdentityLinker } from './identities.ts';
import type { Identity, OidcIssuer } from './oidc-issuer.ts';
import type { AuthRequest } from './sign-in-endpoints.ts';
import type { SignInStore } from './sign-in-store.ts';
import type { Throttle } from './throttle.ts';
import { limitIssuer, limitRefusalRecords } from './throttle.ts';

export type IssuerOptions = {
  discover: () => Promise<OidcIssuer>;
  linkIdentity: ReturnType<typeof createIdentityLinker>;
};

type IssuerSignInOptions = IssuerOptions & {
  getLibrary: () => Promise<AccountsLibrary>;
  runWithin: ReturnType<typeof createTransactionalClient>['runWithin'];
  store: SignInStore;
  throttle: Throttle;
  now: () => Date;
  toVisitor: (request: AuthRequest) => Omit<Actor, 'accountId'>;
  toHeaders: (request: AuthRequest) => Headers;
  /** Counts and records a session before its cookies are sent. Throws `rate_limited`. */
  recordSignIn: (
    session: { accountId: string; signInId: string },
    request: AuthRequest,
  ) => Promise<void>;
};

export const createIssuerSignIn = (options: IssuerSignInOptions) => {
  const { discover, getLibrary, linkIdentity, runWithin, store, throttle, now } = options;
  const { toHeaders, toVisitor, recordSignIn } = options;

  /** Links the identity if it is unknown and opens a session for its person, in one transaction. */
  const openSession = (library: AccountsLibrary, request: AuthRequest, identity: Identity) =>
    store.inTransaction((transaction) =>
      runWithin(transaction, async () => {
        const accountId = await linkIdentity(transaction, toVisitor(request), identity);
        request.onPerson(accountId);
        const session = await library.openSession(toHeaders(request), accountId);
        return { ...session, accountId };
      }),
    );

  /** A refusal that any client can cause without the issuer is not recorded, and neither is an outage. */
  const recordRefusal = async (
    error: unknown,
    request: AuthRequest,
    identity: Identity | undefined,
  ): Promise<void> => {
    if (!(error instanceof ServiceError) || NOT_RECORDED.has(error.code)) return;
    const mayRecord = await throttle.take(limitRefusalRecords()).then(
      () => true,
      () => false,
    );
    if (mayRecord) await store.recordIssuerRefusal(toVisitor(request), error, identity, now());
  };

  return {
    /** Returns the page of the issuer for the browser to open. Errors: `rate_limited`, `issuer_unavailable`. */
    begin: async (request: AuthRequest): Promise<Response> => {
      await throttle.take(limitIssuer(request.address));
      const { callbackURL } = request.body as { callbackURL: string };
      const issuer = await discover();
      const library = await getLibrary();
      const nonce = randomBytes(32).toString('base64url');
      const { state, codeVerifier, cookies } = await library.beginRedirect({ callbackURL, nonce });
      const url = issuer.createAuthorizationUrl({ state, nonce, codeVerifier });
      return Response.json({ url }, { headers: toSetCookies(cookies) });
    },

    /**
     * Handles the redirect from the issuer and signs the person in. Errors: `sign_in_expired`, `rate_limited`,
     * `account_disabled`, those of `OidcIssuer.redeem` and of the linker. A refusal of a person whom the issuer sent is recorded in
     * the audit trail.
     */
    finish: async (request: AuthRequest): Promise<Response> => {
      let identity: Identity | undefined;
      const signIn = async () => {
        const query = new URLSearchParams(request.query);
        const library = await getLibrary();
        const redirect = await library.endRedirect(toHeaders(request), query.get('state') ?? '');
        const issuer = await discover();
        identity = await issuer.redeem(query, redirect);
        const { cookies, ...session } = await openSession(library, request, identity);
        await recordSignIn(session, request);
        await throttle.release(limitIssuer(request.address));
        const headers = toSetCookies(cookies);
        headers.set('location', redirect.callbackURL);
        return new Response(null, { status: 302, headers });
      };
      return signIn().catch(async (error: unknown) => {
        await recordRefusal(error, request, identity);
        throw error;
      });
    },
  };
};

const NOT_RECORDED: ReadonlySet<string> = new Set([
  'sign_in_expired',
  'issuer_unavailable',
  'service_unavailable',
  'rate_limited',
]);

const toSetCookies = (cookies: readonly string[]): Headers => {
  const headers = new Headers();
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return headers;
};
