// Wires people, invitations, API keys and sign-in.
import type { IncomingMessage } from 'node:http';
import type { Database } from '@muster/database';
import type { Config } from '../platform/index.ts';
import { isLoopbackHost, ServiceError } from '../platform/index.ts';
import { createReadPermissions } from './account-permissions.ts';
import { createKeyStore, createKeyVerificationStore } from './api-key-store.ts';
import { createKeyService } from './api-keys.ts';
import {
  ACCOUNTS_PATH,
  createGetLibrary,
  createTransactionalClient,
  pickOwnCookies,
} from './better-auth.ts';
import { createIdentityLinker } from './identities.ts';
import { createInvitationService } from './invitations.ts';
import { createKeyUse } from './key-use.ts';
import { createKeyUseStore } from './key-use-store.ts';
import { createOidcDiscovery } from './oidc-issuer.ts';
import { createOwnAccountService } from './own-account.ts';
import { createPeopleService } from './people.ts';
import type { Caller } from './permissions.ts';
import { toCaller } from './permissions.ts';
import { createPersonStore } from './person-store.ts';
import { createSignInService } from './sign-in.ts';
import { createSignInCleanup } from './sign-in-cleanup.ts';
import { CALLBACK_PATH } from './sign-in-endpoints.ts';
import { createSignInStore, createThrottleStore } from './sign-in-store.ts';
import { createThrottle } from './throttle.ts';
import { createKeyVerifier } from './verify-api-key.ts';

type AccountsOptions = {
  database: Database;
  config: Pick<Config, 'accounts' | 'host'>;
  /** Signs cookies and encrypts second factors. */
  secret: string;
  /** Logs warnings and errors of the library and of background work. */
  warn: (message: string, error?: unknown) => void;
};

export type Accounts = ReturnType<typeof createAccounts>;

export const createAccounts = (options: AccountsOptions) => {
  const { database, config, secret, warn } = options;
  const now = () => new Date();
  const { publicUrl, oidc } = config.accounts;
  // Its queries join a transaction of the library, so that they see a new person before the commit.
  const { client, runWithin } = createTransactionalClient(database.prisma);
  const personStore = createPersonStore({ prisma: client });
  const keyStore = createKeyStore(database);
  const throttle = createThrottle(createThrottleStore(database), now);
  const invitations = createInvitationService(personStore, now);
  const verifier = createKeyVerifier(createKeyVerificationStore(database), now, (error) =>
    warn('the last use of a key could not be written', error),
  );

  const keyUse = createKeyUse(createKeyUseStore(database), now, (error) =>
    warn('the use of keys could not be written', error),
  );

  const origin = publicUrl?.origin ?? 'http://localhost';
  const getLibrary = createGetLibrary({
    client,
    secret,
    origin,
    log: (_, message) => warn(message),
    secureCookies: publicUrl ? publicUrl.protocol === 'https:' : !isLoopbackHost(config.host),
    maySignIn: async (accountId) => {
      const person = await personStore.findPerson(accountId);
      return person !== null && !person.disabled;
    },
  });

  return {
    auth: createSignInService({
      getLibrary,
      origin,
      runWithin,
      throttle,
      now,
      people: personStore,
      store: createSignInStore(database),
      ...(oidc && {
        issuer: {
          discover: createOidcDiscovery(oidc, `${origin}${ACCOUNTS_PATH}${CALLBACK_PATH}`),
          linkIdentity: createIdentityLinker(invitations.acceptVerified, now),
        },
      }),
    }),
    findPerson: async ({ headers }: IncomingMessage): Promise<Caller | null> => {
      const cookie = pickOwnCookies(headers.cookie ?? '');
      if (!SESSION_COOKIE.test(cookie)) return null;
      const library = await getLibrary();
      const session = await library.findSession(new Headers({ cookie }));
      const person = session && (await personStore.findPerson(session.accountId));
      if (!person || person.disabled) throw new ServiceError('auth_session_ended');
      return toCaller(person, session.signInId);
    },
    verifyKey: verifier.verify,
    recordKeyUse: keyUse.record,
    readPermissions: createReadPermissions(database, now),
    services: {
      invitations,
      throttle,
      people: createPeopleService(personStore, now),
      ownAccount: createOwnAccountService(personStore, throttle, now),
      keys: createKeyService(keyStore, keyUse, now, verifier.clear),
      /** Unknown ids are left out. */
      findNames: keyStore.findNames,
      /** What the sign-in page offers besides the password. */
      signInMethods: oidc ? { oidc: { name: oidc.issuer.hostname } } : {},
    },
    finish: async () => {
      await Promise.all([verifier.finish(), keyUse.flush()]);
    },
    cleanup: createSignInCleanup(database, {
      now,
      onFailure: (error) => warn('expired sign-ins could not be deleted', error),
    }),
  };
};

export type AccountServices = Accounts['services'];

/** The name has a prefix when the cookie travels over TLS only. */
const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?muster\.session_token=/;
