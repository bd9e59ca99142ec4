import { createHash } from 'node:crypto';
import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { verifyIdToken } from './id-token.ts';

const RULES = {
  issuer: 'https://issuer.example',
  clientId: 'muster',
  algorithms: undefined,
  nonce: 'a nonce',
  accessToken: 'an access token',
};

/** The value of `at_hash` with this hash function. */
const halfHash = (hash: string): string => {
  const digest = createHash(hash).update(RULES.accessToken).digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
};

/** OpenID Connect Core 1.0, section 3.1.3.6. The names EdDSA and Ed25519 have no number: Ed25519 signs with SHA-512. */
describe.each([
  ['RS256', 'sha256'],
  ['PS384', 'sha384'],
  ['ES512', 'sha512'],
  ['EdDSA', 'sha512'],
  ['Ed25519', 'sha512'],
])('the at_hash of an ID token that is signed with %s', (alg, expected) => {
  it(`is the first half of the ${expected} of the access token`, async () => {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    const verify = async (hash: string) => {
      const token = await new SignJWT({ nonce: RULES.nonce, at_hash: halfHash(hash) })
        .setProtectedHeader({ alg })
        .setIssuer(RULES.issuer)
        .setAudience(RULES.clientId)
        .setSubject('a subject')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey);
      return verifyIdToken(token, async () => publicKey, RULES);
    };
    expect(await verify(expected)).toMatchObject({ sub: 'a subject' });
    for (const hash of ['sha256', 'sha384', 'sha512'].filter((name) => name !== expected)) {
      await expect(verify(hash)).rejects.toMatchObject({ code: 'issuer_response_invalid' });
    }
  });
});
