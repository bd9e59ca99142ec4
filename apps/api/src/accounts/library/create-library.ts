// Makes the accounts library. Loading it costs 40 MB and half a second: nothing but the first sign-in does.
import type { OidcConfig } from '../../config/index.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { LibraryFacts } from './library-options.ts';
import { composeOptions } from './library-options.ts';

export type LibraryParts = LibraryFacts & {
  oidc?: OidcConfig;
  /** False for a person who may not sign in. */
  isAdmitted: (accountId: string) => Promise<boolean>;
  /** Makes the person of a verified e-mail address that was invited; does nothing for others. */
  admitInvited: (identity: { email: string; name: string }) => Promise<void>;
};

export type AccountsLibrary = {
  handle: (request: Request) => Promise<Response>;
  /** True when the issuer has said how it signs people in. */
  hasIssuer: () => Promise<boolean>;
  findSession: (headers: Headers) => Promise<{ accountId: string; signInId: string } | null>;
};

export const createLibrary = async (parts: LibraryParts): Promise<AccountsLibrary> => {
  const [{ betterAuth }, { APIError }, { prismaAdapter }, { twoFactor }] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/api'),
    import('better-auth/adapters/prisma'),
    import('better-auth/plugins/two-factor'),
  ]);
  const library = betterAuth({
    ...composeOptions(parts),
    database: prismaAdapter(parts.client, { provider: 'postgresql', transaction: false }),
    databaseHooks: {
      // Nobody here acts for people at their issuer: what it hands out is not kept.
      account: { create: { before: dropTokens }, update: { before: dropTokens } },
      session: {
        create: {
          before: async ({ userId }) => {
            if (await parts.isAdmitted(userId)) return;
            throw new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED' });
          },
        },
      },
    },
    plugins: [
      twoFactor({ twoFactorTable: 'accountTwoFactor' }),
      ...(parts.oidc ? [await createOidc(parts.oidc, parts.admitInvited)] : []),
    ],
  });
  return {
    handle: library.handler,
    hasIssuer: async () => (await library.$context).socialProviders.length > 0,
    findSession: async (headers) => {
      const found = await library.api.getSession({ headers }).catch((cause: unknown) => {
        // The library hides what failed. A session that cannot be read is an outage, never a sign-out.
        throw new ServiceError('service_unavailable', { cause });
      });
      return found && { accountId: found.user.id, signInId: found.session.id };
    },
  };
};

const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null };
const dropTokens = async () => ({ data: NO_TOKENS });

/** An issuer signs in people who exist, and who were invited: nobody signs up through it. */
const createOidc = async (oidc: OidcConfig, admitInvited: LibraryParts['admitInvited']) => {
  const { genericOAuth } = await import('better-auth/plugins/generic-oauth');
  const issuer = oidc.issuer.href.replace(/\/$/, '');
  return genericOAuth({
    config: [
      {
        providerId: 'oidc',
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        clientId: oidc.clientId,
        clientSecret: oidc.clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        disableSignUp: true,
        mapProfileToUser: async ({ email, email_verified: verified, name }) => {
          if (verified !== true || typeof email !== 'string') return { emailVerified: false };
          await admitInvited({ email, name: typeof name === 'string' ? name : email });
          return { emailVerified: true };
        },
      },
    ],
  });
};
