// The fast path may only accept tokens that the library accepts. It may leave any token to the library.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { JWTVerifyOptions } from 'jose';
import { jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { signingSecret, verifyMac } from './verify-token.ts';

const SECRET = 'a secret of at least thirty-two bytes';
const RULES: JWTVerifyOptions = {
  algorithms: ['HS256'],
  issuer: 'studio',
  audience: 'game',
  clockTolerance: 30,
  requiredClaims: ['exp', 'sub'],
};
const SECONDS = Math.floor(Date.now() / 1000);
const CLAIMS = { sub: 'a player', exp: SECONDS + 600, iss: 'studio', aud: 'game' };
const HS256 = { alg: 'HS256' };

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const withMac = (signed: string, secret = SECRET): string =>
  `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;

/** Signs any header, so that the MAC is right. */
const sign = (header: unknown, claims: unknown, secret = SECRET): string =>
  withMac(`${encode(header)}.${encode(claims)}`, secret);

const verifyByLibrary = async (token: string) => {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, signingSecret(SECRET), RULES);
    return { payload, protectedHeader };
  } catch {
    return undefined;
  }
};

const TOKEN = sign(HS256, CLAIMS);

it.each([
  ['the plain header', TOKEN],
  ['a type and a key id', sign({ ...HS256, typ: 'at+jwt', kid: '1' }, CLAIMS)],
  ['an audience among others', sign(HS256, { ...CLAIMS, aud: ['shop', 'game'] })],
  ['claims beyond ASCII', sign(HS256, { ...CLAIMS, sub: 'Žofie 🎮' })],
])('accepts %s, as the library does', async (_, token) => {
  const verified = verifyMac(token, SECRET, RULES);
  expect(verified).toBeDefined();
  expect(verified).toEqual(await verifyByLibrary(token));
});

it.each([
  ['another secret', sign(HS256, CLAIMS, `${SECRET}!`)],
  ['no signature', sign(HS256, CLAIMS).replace(/[^.]*$/, '')],
  ['the algorithm none', sign({ alg: 'none' }, CLAIMS)],
  ['another algorithm', sign({ alg: 'HS512' }, CLAIMS)],
  ['an algorithm in small letters', sign({ alg: 'hs256' }, CLAIMS)],
  ['an algorithm among others', sign({ alg: ['HS256'] }, CLAIMS)],
  ['no algorithm', sign({}, CLAIMS)],
  ['what is critical', sign({ ...HS256, crit: ['exp'], exp: 1 }, CLAIMS)],
  ['claims that are not encoded', sign({ ...HS256, crit: ['b64'], b64: false }, CLAIMS)],
  ['a header that is a list', sign([HS256], CLAIMS)],
  ['a header that is no JSON', sign('{', CLAIMS)],
  ['claims that are a list', sign(HS256, [CLAIMS])],
  ['claims that are no JSON', sign(HS256, '{')],
  ['an expired token', sign(HS256, { ...CLAIMS, exp: SECONDS - 60 })],
  ['a token that is not yet valid', sign(HS256, { ...CLAIMS, nbf: SECONDS + 60 })],
  ['another issuer', sign(HS256, { ...CLAIMS, iss: 'another' })],
  ['another audience', sign(HS256, { ...CLAIMS, aud: 'shop' })],
  ['no expiry', sign(HS256, { ...CLAIMS, exp: undefined })],
  ['a padded signature', `${TOKEN}=`],
  ['a signature with a space', `${TOKEN} `],
  ['an extra part', `${TOKEN}.c2ln`],
  ['the parts of an encrypted token', `${TOKEN}.c2ln.c2ln`],
  ['an empty text', ''],
  ['two parts', withMac(encode(HS256))],
])('leaves %s to the library', (_, token) => {
  expect(verifyMac(token, SECRET, RULES)).toBeUndefined();
});

const ANY_CHARACTER = fc.constantFrom(...'ABCXYZabcxyz0189-_=+/. \0é');

it('refuses tokens that differ from a signed one in a single character', () => {
  fc.assert(
    fc.property(fc.nat(TOKEN.length - 1), ANY_CHARACTER, (index, character) => {
      const token = TOKEN.slice(0, index) + character + TOKEN.slice(index + 1);
      fc.pre(token !== TOKEN);
      expect(verifyMac(token, SECRET, RULES)).toBeUndefined();
    }),
    { seed: 7519, numRuns: 3_000 },
  );
});

it('refuses every signed token that the library refuses', async () => {
  const claim = fc.oneof(fc.integer(), fc.string(), fc.constant(SECONDS + 600), fc.jsonValue());
  const claims = fc.record(
    {
      sub: claim,
      exp: claim,
      nbf: claim,
      iat: claim,
      iss: fc.oneof(claim, fc.constant('studio')),
      aud: fc.oneof(claim, fc.constant('game')),
    },
    { requiredKeys: ['exp'] },
  );
  const header = fc.record(
    {
      alg: fc.oneof(
        { weight: 4, arbitrary: fc.constant('HS256') },
        fc.constantFrom('none', 'HS512'),
      ),
      typ: fc.string(),
      crit: fc.constantFrom(['b64'], [], ['x']),
      b64: fc.boolean(),
    },
    { requiredKeys: ['alg'] },
  );
  await fc.assert(
    fc.asyncProperty(header, fc.oneof(claims, fc.constant(CLAIMS)), async (head, body) => {
      const token = sign(head, body);
      const verified = verifyMac(token, SECRET, RULES);
      if (verified) expect(verified).toEqual(await verifyByLibrary(token));
    }),
    { seed: 7515, numRuns: 3_000 },
  );
});
