import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CryptoKey } from 'jose';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../platform/errors.ts';
import { createAuthenticate } from './authenticate.ts';
import { signingSecret } from './verify-token.ts';

const SECRET = 'a secret of at least thirty-two bytes';
const verifyKey = async () => {
  throw new ServiceError('auth_token_unknown');
};
const names = {
  permissionsClaims: ['permissions', 'scope'],
  observeCache: () => () => {},
  verifyKey,
};
const authenticate = createAuthenticate({
  keys: { kind: 'secret', secret: SECRET },
  ...names,
});

const nowSeconds = () => Math.floor(Date.now() / 1000);
const valid = () => ({ sub: 'studio-backend', exp: nowSeconds() + 60 });

const sign = (claims: Record<string, unknown>, secret = SECRET, alg = 'HS256') =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(signingSecret(secret));

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const codeOf = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt;
    return 'accepted';
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};
const codeOfToken = async (token: string | Promise<string>) =>
  codeOf(authenticate(`Bearer ${await token}`));

describe('a shared secret', () => {
  it('returns the account, the permissions of both claims, and the platform', async () => {
    const token = await sign({
      ...valid(),
      permissions: ['session:*', 'made:up'],
      scope: 'player:view  audit:view',
      platform: 'PSN',
    });
    expect(await authenticate(`Bearer ${token}`)).toEqual({
      accountId: 'studio-backend',
      permissions: ['session:*', 'made:up', 'player:view', 'audit:view'],
      platform: 'PSN',
    });
  });

  it('accepts the scheme in any case and with several spaces', async () => {
    expect(await codeOf(authenticate(`bEARER   ${await sign(valid())}`))).toBe('accepted');
  });

  it.each([undefined, '', '   ', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'Bearerx.y.z'])(
    'answers auth_missing to the header %j',
    async (header) => {
      expect(await codeOf(authenticate(header))).toBe('auth_missing');
    },
  );

  it.each(['abc', 'a.b', 'a.b.c.d', 'a.b.c.d.e', '.'])('answers auth_not_jwt to %s', async (t) => {
    expect(await codeOfToken(t)).toBe('auth_not_jwt');
  });

  it('answers auth_token_unknown to an API key', async () => {
    expect(await codeOfToken('msk_1234')).toBe('auth_token_unknown');
  });

  it.each([
    ['parts that are no base64url', 'a*.b.c'],
    ['empty parts', '..'],
    ['a header that is no JSON', `${encode('{')}.${encode(valid())}.c2ln`],
    ['a header that is no object', `${encode('[]')}.${encode(valid())}.c2ln`],
    ['claims that are no JSON', `${encode({ alg: 'HS256' })}.${encode('{')}.c2ln`],
    ['claims that are a list', `${encode({ alg: 'HS256' })}.${encode('[1]')}.c2ln`],
  ])('answers auth_token_format to %s', async (_, token) => {
    expect(await codeOfToken(token)).toBe('auth_token_format');
  });

  it.each([' ', '\t', '=', '+', '/', '*', '\u00e9', '\u200b'])(
    'answers auth_token_format to %j in any part of a valid token',
    async (character) => {
      const token = await sign(valid());
      const [header = '', payload = '', signature = ''] = token.split('.');
      for (const spelled of [
        `${header}${character}.${payload}.${signature}`,
        `${header}.${payload.slice(0, 8)}${character}${payload.slice(8)}.${signature}`,
        `${header}.${payload}.${signature.slice(0, 8)}${character}${signature.slice(8)}`,
        `${token}${character}x`,
      ]) {
        expect([spelled, await codeOfToken(spelled)]).toEqual([spelled, 'auth_token_format']);
      }
      expect(await codeOfToken(token)).toBe('accepted');
    },
  );

  it('answers auth_token_too_large to more than 16,384 characters, in whatever form', async () => {
    expect(await codeOfToken(`${'a'.repeat(16_380)}.b.c`)).toBe('auth_token_format');
    expect(await codeOfToken(`${'a'.repeat(16_381)}.b.c`)).toBe('auth_token_too_large');
    expect(await codeOfToken('a'.repeat(16_385))).toBe('auth_token_too_large');
  });

  it('answers auth_token_sig_invalid to another secret, another algorithm and no signature', async () => {
    const [header, payload] = (await sign(valid())).split('.');
    expect(await codeOfToken(sign(valid(), `${SECRET}!`))).toBe('auth_token_sig_invalid');
    expect(await codeOfToken(sign(valid(), SECRET.repeat(2), 'HS512'))).toBe(
      'auth_token_sig_invalid',
    );
    expect(await codeOfToken(`${header}.${payload}.`)).toBe('auth_token_sig_invalid');
    expect(await codeOfToken(`${encode({ alg: 'none' })}.${payload}.`)).toBe(
      'auth_token_sig_invalid',
    );
  });

  it('tolerates a clock difference of thirty seconds, and no more', async () => {
    const late = (seconds: number) => sign({ sub: 'a', exp: nowSeconds() - seconds });
    expect(await codeOfToken(late(25))).toBe('accepted');
    expect(await codeOfToken(late(31))).toBe('auth_token_expired');
    const early = (seconds: number) => sign({ ...valid(), nbf: nowSeconds() + seconds });
    expect(await codeOfToken(early(25))).toBe('accepted');
    expect(await codeOfToken(early(35))).toBe('auth_token_invalid_claim');
  });

  it.each([
    ['no exp', { sub: 'a' }],
    ['an exp that is no number', { sub: 'a', exp: '9999999999' }],
    ['no sub', { exp: 9_999_999_999 }],
    ['an empty sub', { sub: '', exp: 9_999_999_999 }],
    ['a sub that is no string', { sub: 7, exp: 9_999_999_999 }],
    ['a sub with U+0000', { sub: 'a\u0000', exp: 9_999_999_999 }],
    ['permissions that are a number', { ...valid(), permissions: 1 }],
    ['permissions with a number', { ...valid(), permissions: ['a', 1] }],
    ['a scope that is an object', { ...valid(), scope: {} }],
    ['permissions that are null', { ...valid(), permissions: null }],
    ['permissions that are an object', { ...valid(), permissions: { '0': 'a' } }],
    ['a scope that is null beside permissions', { ...valid(), permissions: ['a'], scope: null }],
    ['a sub that is a list', { ...valid(), sub: ['a'] }],
    ['a sub that is null', { ...valid(), sub: null }],
    ['an iat that is text', { ...valid(), iat: '0' }],
    ['an nbf that is null', { ...valid(), nbf: null }],
    ['a platform in another case', { ...valid(), platform: 'steam' }],
    ['a platform that is null', { ...valid(), platform: null }],
    ['a platform that it does not know', { ...valid(), platform: 'Ouya' }],
  ])('answers auth_token_invalid_claim to %s', async (_, claims) => {
    expect(await codeOfToken(sign(claims))).toBe('auth_token_invalid_claim');
  });

  it('checks issuer and audience only where they are configured', async () => {
    const strict = createAuthenticate({
      keys: { kind: 'secret', secret: SECRET },
      issuer: 'https://id.example',
      audience: 'muster',
      ...names,
    });
    const attempt = async (claims: object) =>
      codeOf(strict(`Bearer ${await sign({ ...valid(), ...claims })}`));
    const iss = 'https://id.example';
    expect(await attempt({ iss, aud: ['other', 'muster'] })).toBe('accepted');
    expect(await attempt({ iss, aud: 'other' })).toBe('auth_token_invalid_claim');
    expect(await attempt({ iss: 'https://evil.example', aud: 'muster' })).toBe(
      'auth_token_invalid_claim',
    );
    expect(await attempt({})).toBe('auth_token_invalid_claim');
  });

  it('reads the claims under their configured names', async () => {
    const renamed = createAuthenticate({
      keys: { kind: 'secret', secret: SECRET },
      ...names,
      permissionsClaims: ['https://game.example/grants', 'scp'],
    });
    const token = await sign({
      ...valid(),
      'https://game.example/grants': ['a'],
      scp: ['b'],
      permissions: ['c'],
      scope: 'd',
    });
    expect((await renamed(`Bearer ${token}`)).permissions).toEqual(['a', 'b']);
  });
});

describe('published keys', () => {
  const published: Record<string, unknown>[] = [];
  const privateKeys = new Map<string, CryptoKey>();
  let fetches = 0;
  const issuer = createServer((_req, res) => {
    fetches += 1;
    res.end(JSON.stringify({ keys: published }));
  });
  let url: URL;

  beforeAll(async () => {
    for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA']) await publish(alg, alg);
    await new Promise<void>((done) => issuer.listen(0, '127.0.0.1', done));
    url = new URL(`http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`);
  });
  afterAll(() => issuer.close());

  const publish = async (alg: string, kid: string) => {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    privateKeys.set(kid, privateKey);
    published.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
  };
  const signWith = (alg: string, header: object = { kid: alg }, key = alg) =>
    new SignJWT({ ...valid(), iss: 'i', aud: 'a' })
      .setProtectedHeader({ alg, ...header })
      .sign(privateKeys.get(key)!);
  const open = (jwks: URL = url) =>
    createAuthenticate({
      keys: { kind: 'jwks', url: jwks },
      issuer: 'i',
      audience: 'a',
      ...names,
    });

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('accepts %s', async (alg) => {
    expect(await codeOf(open()(`Bearer ${await signWith(alg)}`))).toBe('accepted');
  });

  it('refuses a secret-signed token, even one that names a published key', async () => {
    const token = await new SignJWT(valid())
      .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
      .sign(signingSecret(SECRET));
    expect(await codeOf(open()(`Bearer ${token}`))).toBe('auth_token_sig_invalid');
  });

  it('answers auth_token_unknown to a key id that is not published, with one fetch for many', async () => {
    const check = open();
    const token = await signWith('RS256', { kid: 'gone' });
    expect(await codeOf(check(`Bearer ${token}`))).toBe('auth_token_unknown');
    const before = fetches;
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => codeOf(check(`Bearer ${token}`))),
    );
    expect(new Set(codes)).toEqual(new Set(['auth_token_unknown']));
    expect(fetches).toBe(before);
  });

  it('answers auth_token_sig_invalid to a published key id with another signature', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const token = await new SignJWT(valid())
      .setProtectedHeader({ alg: 'RS256', kid: 'RS256' })
      .sign(privateKey);
    expect(await codeOf(open()(`Bearer ${token}`))).toBe('auth_token_sig_invalid');
  });

  it('tries every key of the algorithm for a token without key id', async () => {
    await publish('ES256', 'second');
    const check = open();
    expect(await codeOf(check(`Bearer ${await signWith('ES256', {}, 'second')}`))).toBe('accepted');
    const { privateKey } = await generateKeyPair('ES256');
    const foreign = await new SignJWT(valid())
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
    expect(await codeOf(check(`Bearer ${foreign}`))).toBe('auth_token_sig_invalid');
  });

  it('refuses tokens of a withdrawn key within 5 s, including cached ones', async () => {
    await publish('ES256', 'withdrawn');
    const check = open();
    const token = await signWith('ES256', { kid: 'withdrawn' }, 'withdrawn');
    const attempt = () => codeOf(check(`Bearer ${token}`));
    expect(await attempt()).toBe('accepted');
    published.splice(
      published.findIndex(({ kid }) => kid === 'withdrawn'),
      1,
    );
    await expect.poll(attempt, { timeout: 5_000 }).toBe('auth_token_unknown');
  }, 10_000);

  it('keeps using the known keys while the issuer does not respond', async () => {
    const flaky = createServer((_req, res) => res.end(JSON.stringify({ keys: published })));
    await new Promise<void>((done) => flaky.listen(0, '127.0.0.1', done));
    const check = open(new URL(`http://127.0.0.1:${(flaky.address() as AddressInfo).port}/jwks`));
    expect(await codeOf(check(`Bearer ${await signWith('RS256')}`))).toBe('accepted');
    flaky.closeAllConnections();
    flaky.close();
    const until = performance.now() + 3_500;
    while (performance.now() < until) {
      const fresh = await signWith('RS256', { kid: 'RS256', n: String(performance.now()) });
      expect(await codeOf(check(`Bearer ${fresh}`))).toBe('accepted');
    }
  }, 10_000);

  it('answers service_unavailable while the keys cannot be read', async () => {
    const nowhere = new URL('http://127.0.0.1:1/jwks');
    const token = await signWith('RS256');
    expect(await codeOf(open(nowhere)(`Bearer ${token}`))).toBe('service_unavailable');
  });
});
