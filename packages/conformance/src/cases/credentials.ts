import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { expectRefusal, expectSession, expectUnauthenticated, readAdminError } from '../checks.ts';
import { ITEM, KINDS } from '../fixtures/catalogue.ts';
import { historyPath } from '../fixtures/histories.ts';
import { joinBody, joinPath, tryJoin } from '../fixtures/joins.ts';
import { newScene, newSession } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { bearer, inSection, nowInSeconds } from '../target/context.ts';
import type { Answer } from '../target/send-request.ts';
import { SkippedCase } from '../target/send-request.ts';

const prove = inSection('Credentials');

const ANY = { permissions: ['session:*'] };

const NO_PLATFORMS = ['steam', 'STEAM', ' Steam', 'pc', '', 5, true, null, ['Steam'], {}];

/** A join that is taken if the credential is. */
const joinWith = async (context: Context, headers: Record<string, string>): Promise<Answer> =>
  context.postText(joinPath(...(await newScene(context))), JSON.stringify(joinBody()), headers);

const joinWithClaims = async (context: Context, claims: Record<string, unknown>) =>
  joinWith(context, bearer(await context.mint({ sub: randomUUID(), ...ANY, ...claims })));

const base64url = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

const payload = (context: Context) => ({
  sub: randomUUID(),
  ...ANY,
  exp: nowInSeconds() + 600,
  ...(context.target.settings.issuer && { iss: context.target.settings.issuer }),
  ...(context.target.settings.audience && { aud: context.target.settings.audience }),
});

const signedWithRsa = async (context: Context): Promise<string> => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new SignJWT(payload(context)).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
};

const tampered = (token: string): string => {
  const [header, body, signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(body ?? '', 'base64url').toString());
  return `${header}.${base64url({ ...claims, permissions: ['*'] })}.${signature}`;
};

const BAD_HEADERS: readonly (readonly [string, string, readonly string[]])[] = [
  ['no JWT and no key', 'Bearer nonsense', ['auth_not_jwt', 'auth_token_unknown']],
  ['three parts that are no JWT', 'Bearer a.b.c', ['auth_token_format']],
  ['a JWT whose header is no JSON', 'Bearer bm90.bm90.bm90', ['auth_token_format']],
  ['an empty bearer token', 'Bearer ', []],
  ['another scheme', 'Basic dXNlcjpwYXNz', []],
  ['a token without a scheme', 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln', []],
];

export const credentialCases = [
  prove('no credential is 403 auth_missing with auth_success false', async (context) => {
    expectUnauthenticated(await joinWith(context, {}), 'auth_missing');
  }),
  prove('no credential on a history is 403 auth_missing', async (context) => {
    context.requireHistoryAccess('authenticated');
    const path = historyPath({ kind: ITEM, sandboxId: randomUUID() });
    expectUnauthenticated(await context.get(path, {}), 'auth_missing');
  }),
  ...BAD_HEADERS.map(([name, authorization, codes]) =>
    prove(`${name}: 403 with auth_success false`, async (context) => {
      expectUnauthenticated(await joinWith(context, { authorization }), ...codes);
    }),
  ),
  prove(
    'a token of more than 16,384 characters is auth_token_too_large: a new one is no help',
    async (context) => {
      for (const token of [`${'a'.repeat(16_381)}.b.c`, 'a'.repeat(16_385)]) {
        const answer = await joinWith(context, { authorization: `Bearer ${token}` });
        const body = expectRefusal(answer, 403, 'auth_token_too_large');
        assert.equal(body.auth_success, true);
      }
    },
  ),
  prove('a valid token that is spelled otherwise is auth_token_format', async (context) => {
    const token = await context.mint({ sub: randomUUID(), ...ANY });
    const end = token.length - 8;
    for (const character of [' ', '\t', '=', '+', '/']) {
      const spelled = `${token.slice(0, end)}${character}${token.slice(end)}`;
      expectUnauthenticated(await joinWith(context, bearer(spelled)), 'auth_token_format');
    }
    expectSession(await joinWith(context, bearer(token)));
  }),
  prove('a token that another secret signed is auth_token_sig_invalid', async (context) => {
    const secret = 'another secret of more than thirty-two bytes';
    const token = await context.mint({ sub: randomUUID(), ...ANY }, secret);
    expectUnauthenticated(await joinWith(context, bearer(token)), 'auth_token_sig_invalid');
  }),
  prove('a token whose claims were changed is auth_token_sig_invalid', async (context) => {
    const token = tampered(await context.mint({ sub: randomUUID(), permissions: [] }));
    expectUnauthenticated(await joinWith(context, bearer(token)), 'auth_token_sig_invalid');
  }),
  prove('alg none is refused, with and without a signature', async (context) => {
    for (const alg of ['none', 'None', 'NONE']) {
      const unsigned = `${base64url({ alg, typ: 'JWT' })}.${base64url(payload(context))}.`;
      expectUnauthenticated(await joinWith(context, bearer(unsigned)));
      expectUnauthenticated(await joinWith(context, bearer(`${unsigned}c2ln`)));
    }
  }),
  prove(
    'a token signed by an RSA key that the service does not know is refused',
    async (context) => {
      expectUnauthenticated(await joinWith(context, bearer(await signedWithRsa(context))));
    },
  ),
  ...['HS384', 'HS512'].map((alg) =>
    prove(`${alg} with the right secret is refused: only HS256 is agreed on`, async (context) => {
      await context.mint({});
      const secret = new TextEncoder().encode(context.target.settings.secret);
      const token = await new SignJWT(payload(context)).setProtectedHeader({ alg }).sign(secret);
      expectUnauthenticated(await joinWith(context, bearer(token)));
    }),
  ),
  prove('a token that expired beyond the skew is auth_token_expired', async (context) => {
    for (const seconds of [35, 3600]) {
      const answer = await joinWithClaims(context, { exp: nowInSeconds() - seconds });
      expectUnauthenticated(answer, 'auth_token_expired');
    }
  }),
  prove('a token that expired within 30 s of skew is taken', async (context) => {
    expectSession(await joinWithClaims(context, { exp: nowInSeconds() - 15 }));
  }),
  prove('a token that is not valid yet is refused beyond the skew', async (context) => {
    expectUnauthenticated(await joinWithClaims(context, { nbf: nowInSeconds() + 120 }));
  }),
  prove('a token that becomes valid within 30 s of skew is taken', async (context) => {
    expectSession(await joinWithClaims(context, { nbf: nowInSeconds() + 15 }));
  }),
  ...['exp', 'sub'].map((claim) =>
    prove(`a token without ${claim} is auth_token_invalid_claim`, async (context) => {
      const answer = await joinWithClaims(context, { [claim]: undefined });
      expectUnauthenticated(answer, 'auth_token_invalid_claim');
    }),
  ),
  ...(['issuer', 'audience'] as const).map((setting) =>
    prove(`a wrong or missing ${setting} is auth_token_invalid_claim`, async (context) => {
      if (!context.target.settings[setting]) throw new SkippedCase(`needs --${setting}`);
      const claim = setting === 'issuer' ? 'iss' : 'aud';
      for (const value of ['https://elsewhere.example', undefined]) {
        const answer = await joinWithClaims(context, { [claim]: value });
        expectUnauthenticated(answer, 'auth_token_invalid_claim');
      }
    }),
  ),
  prove(
    'a platform claim that names no platform is auth_token_invalid_claim on every endpoint that verifies tokens',
    async (context) => {
      for (const platform of NO_PLATFORMS) {
        const answer = await joinWithClaims(context, { platform });
        expectUnauthenticated(answer, 'auth_token_invalid_claim');
        const claims = { sub: randomUUID(), permissions: ['*'], platform };
        const headers = bearer(await context.mint(claims));
        const admin = await context.get('/admin/trpc/players.list?input=%7B%7D', headers);
        assert.equal(admin.status, 403);
        assert.equal(readAdminError(admin).error_code, 'auth_token_invalid_claim');
        if (context.target.settings.historyAccess === 'public') continue;
        for (const kind of KINDS) {
          const path = historyPath({ kind, sandboxId: randomUUID() });
          const history = await context.get(path, headers);
          expectUnauthenticated(history, 'auth_token_invalid_claim');
        }
      }
    },
  ),
  prove('claims of odd types never make a server error', async (context) => {
    for (const claims of [
      { permissions: 'session:*' },
      { permissions: { a: 1 } },
      { permissions: [1, null, 'session:*'] },
      { scope: ['session:*'] },
      { platform: 'Nowhere' },
      { platform: 5 },
      { sub: '' },
      { sub: 'not a uuid' },
    ]) {
      const answer = await joinWithClaims(context, claims);
      if (answer.status >= 500) throw new Error(`${JSON.stringify(claims)}: ${answer.status}`);
    }
  }),
  prove('there is no 401 anywhere', async (context) => {
    const player = randomUUID();
    for (const authorization of [undefined, 'Bearer x', 'Bearer a.b.c', 'Basic eDp5', '']) {
      const headers = authorization === undefined ? {} : { authorization };
      for (const answer of [
        await joinWith(context, headers),
        await context.get(historyPath({ kind: ITEM, sandboxId: player }), headers),
        await context.get('/admin/trpc/players.get?input=%7B%7D', headers),
      ]) {
        if (answer.status === 401) throw new Error('401');
      }
    }
  }),
  prove('a refused credential leaves no seat and no player behind', async (context) => {
    const [session, player] = [await newSession(context), randomUUID()];
    const token = await context.mint({ sub: player, ...ANY }, 'x'.repeat(40));
    expectUnauthenticated(await tryJoin(context, session, player, { token }));
    const answer = await tryJoin(context, session, player);
    if (answer.status !== 404) throw new Error(`the player is known: ${answer.status}`);
  }),
];
