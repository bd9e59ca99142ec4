// Puts the parts of accounts together. The library is loaded by the first request that needs it.

import type { IncomingMessage } from 'node:http';
import type { Database } from '@muster/database';
import type { Caller } from '../auth/index.ts';
import type { Config } from '../config/index.ts';
import { isLoopbackHost } from '../config/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createKeyService } from './keys/key-service.ts';
import { createKeyStore } from './keys/key-store.ts';
import { createKeyVerificationStore } from './keys/key-verification-store.ts';
import { createKeyVerifier } from './keys/key-verifier.ts';
import { createBoundClient } from './library/bound-client.ts';
import { createLibraries } from './library/create-libraries.ts';
import { createInvitationService } from './people/invitation-service.ts';
import { createOwnAccountService } from './people/own-account-service.ts';
import { createPeopleService } from './people/people-service.ts';
import { toCaller } from './people/person-caller.ts';
import { createPersonStore } from './people/person-store.ts';
import { createAuthService } from './sign-in/auth-service.ts';
import { createSignInStore } from './sign-in/sign-in-store.ts';
import { createThrottle } from './sign-in/throttle.ts';
import { createThrottleStore } from './sign-in/throttle-store.ts';

export type AccountsOptions = {
  database: Database;
  config: Pick<Config, 'accounts' | 'host'>;
  /** Cookies are signed and second factors encrypted with it. */
  secret: string;
  /** Warnings and errors of the library, and of what happens in the background. */
  warn: (message: string, error?: unknown) => void;
  now?: () => Date;
};

export type Accounts = ReturnType<typeof createAccounts>;

export const createAccounts = (options: AccountsOptions) => {
  const { database, config, secret, warn, now = () => new Date() } = options;
  const { publicUrl, oidc } = config.accounts;
  const personStore = createPersonStore(database);
  const keyStore = createKeyStore(database);
  const throttle = createThrottle(createThrottleStore(database), now);
  const invitations = createInvitationService(personStore, now);
  const verifier = createKeyVerifier(createKeyVerificationStore(database), now, (error) =>
    warn('the last use of a key could not be written', error),
  );

  const { client, within } = createBoundClient(database.prisma);
  const origin = publicUrl?.origin ?? 'http://localhost';
  const libraries = createLibraries({
    ...{ client, secret, origin, log: warn },
    secureCookies: publicUrl ? publicUrl.protocol === 'https:' : !isLoopbackHost(config.host),
    ...(oidc && { oidc }),
    isAdmitted: async (accountId) => {
      const person = await personStore.findPerson(accountId);
      return person !== null && !person.disabled;
    },
    admitInvited: invitations.acceptVerified,
  });

  return {
    auth: createAuthService({
      ...{ getLibrary: libraries.get, origin, within, throttle, now, people: personStore },
      store: createSignInStore(database),
    }),
    findPerson: async ({ headers }: IncomingMessage): Promise<Caller | null> => {
      const cookie = headers.cookie ?? '';
      if (!SESSION_COOKIE.test(cookie)) return null;
      const library = await libraries.get('people');
      const session = await library.findSession(new Headers({ cookie }));
      const person = session && (await personStore.findPerson(session.accountId));
      if (!person || person.disabled) throw new ServiceError('auth_session_ended');
      return toCaller(person, session.signInId);
    },
    verifyKey: verifier.verify,
    services: {
      invitations,
      throttle,
      people: createPeopleService(personStore, now),
      ownAccount: createOwnAccountService(personStore, now),
      keys: createKeyService(keyStore, now, verifier.forget),
      /** Unknown ids are left out. */
      findNames: keyStore.findNames,
      /** What a page of sign-in offers besides the password. */
      signInMethods: oidc ? { oidc: { name: oidc.name } } : {},
    },
    finish: verifier.finish,
  };
};

export type AccountServices = Accounts['services'];

/** The cookie's name has a prefix where it travels over TLS only. */
const SESSION_COOKIE = /(?:^|;\s*)(?:__Secure-)?muster\.session_token=/;
