// Attacks on tokens as a table: the changes to header, signature and claims, and the expected error.
// authenticate.test.ts tests the form of tokens, clocks and the rules for claims.
import type { KeyObject } from 'node:crypto';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ErrorCode } from '@muster/contract';
import { exportJWK, exportSPKI, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../platform/errors.ts';
import type { Authenticate } from './authenticate.ts';
import { createAuthenticate } from './authenticate.ts';

const SECRET = 'a secret that only the issuer knows';
const later = (): number => Math.floor(Date.now() / 1000) + 600;
const claims = (more: object = {}): object => ({
  sub: 'attacker',
  exp: later(),
  permissions: ['*'],
  iss: 'i',
  aud: 'a',
  ...more,
});

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
/** Signs any text, including texts that no library would sign. */
const hmac = (
  header: unknown,
  payload: unknown,
  secret: string | Buffer = SECRET,
  hash = 'sha256',
) => {
  const signed = `${encode(header)}.${encode(payload)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
};
const HS256 = { alg: 'HS256' };

const rules = {
  permissionsClaims: ['permissions', 'scope'],
  observeCache: () => () => {},
  issuer: 'i',
  audience: 'a',
  verifyKey: async () => {
    throw new ServiceError('auth_token_unknown');
  },
};
const codeOf = async (check: Authenticate, token: string): Promise<string> =>
  check(`Bearer ${token}`).then(
    () => 'accepted',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );

type Attack = [name: string, code: ErrorCode | 'accepted', token: () => string | Promise<string>];

const UNSIGNED = 'auth_token_sig_invalid';
const MALFORMED = 'auth_token_format';
const CLAIM = 'auth_token_invalid_claim';
const EXPIRED = 'auth_token_expired';

const ON_A_SECRET: Attack[] = [
  ['nothing wrong', 'accepted', () => hmac(HS256, claims())],
  ...['none', 'None', 'NONE', 'nOnE'].flatMap((alg): Attack[] => [
    [`alg ${alg} without signature`, UNSIGNED, () => `${encode({ alg })}.${encode(claims())}.`],
    [`alg ${alg} with a signature`, UNSIGNED, () => hmac({ alg }, claims())],
  ]),
  ['an empty alg', MALFORMED, () => hmac({ alg: '' }, claims())],
  ['no alg at all', MALFORMED, () => hmac({}, claims())],
  ['an alg that is a list', MALFORMED, () => hmac({ alg: ['HS256'] }, claims())],
  ['alg twice, the good one first', UNSIGNED, () => hmac('{"alg":"HS256","alg":"none"}', claims())],
  ['alg in a prototype', MALFORMED, () => hmac('{"__proto__":{"alg":"HS256"}}', claims())],
  [
    'the right secret under HS384',
    UNSIGNED,
    () => hmac({ alg: 'HS384' }, claims(), SECRET, 'sha384'),
  ],
  [
    'the right secret under HS512',
    UNSIGNED,
    () => hmac({ alg: 'HS512' }, claims(), SECRET, 'sha512'),
  ],
  ['an empty secret', UNSIGNED, () => hmac(HS256, claims(), '')],
  ['a secret of zeros', UNSIGNED, () => hmac(HS256, claims(), Buffer.alloc(32))],
  ['another secret', UNSIGNED, () => hmac(HS256, claims(), `${SECRET} `)],
  ['half a signature', UNSIGNED, () => hmac(HS256, claims()).slice(0, -21)],
  [
    'claims that were changed',
    UNSIGNED,
    () => swapClaims(hmac(HS256, claims()), claims({ sub: 'b' })),
  ],
  [
    'a header that was changed',
    UNSIGNED,
    () => swapHeader(hmac(HS256, claims()), { ...HS256, kid: 'x' }),
  ],
  ...[
    '../../../../dev/null',
    "x' UNION SELECT 'key",
    'https://evil.example/key',
    '__proto__',
    '\u0000',
  ].map(
    (kid): Attack => [
      `the kid ${JSON.stringify(kid)}, signed with a possible content of that path`,
      UNSIGNED,
      () => hmac({ ...HS256, kid }, claims(), ''),
    ],
  ),
  [
    'an extension that must be understood',
    UNSIGNED,
    () => hmac({ ...HS256, crit: ['exp'], exp: 1 }, claims()),
  ],
  ['an empty list of such extensions', MALFORMED, () => hmac({ ...HS256, crit: [] }, claims())],
  [
    'claims that are not encoded',
    MALFORMED,
    () => hmac({ ...HS256, crit: ['b64'], b64: false }, claims()),
  ],
  [
    'a token within a token',
    MALFORMED,
    () => hmac({ ...HS256, cty: 'JWT' }, hmac(HS256, claims())),
  ],
  ['an encrypted token', 'auth_not_jwt', () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..a.b.c`],
  [
    'seventeen thousand characters',
    'auth_token_too_large',
    () => hmac(HS256, claims({ pad: 'x'.repeat(13_000) })),
  ],
  [
    'claims nested 3,000 deep',
    MALFORMED,
    () => hmac(HS256, `${'['.repeat(3_000)}${']'.repeat(3_000)}`),
  ],
  ['a logout token', MALFORMED, () => hmac({ ...HS256, typ: 'logout+jwt' }, claims())],
  [
    'a proof of possession',
    MALFORMED,
    () => hmac({ ...HS256, typ: 'application/DPoP+JWT' }, claims()),
  ],
  ['an access token with its type', 'accepted', () => hmac({ ...HS256, typ: 'at+jwt' }, claims())],
  ['another issuer', CLAIM, () => hmac(HS256, claims({ iss: 'evil' }))],
  ['an issuer in a list', CLAIM, () => hmac(HS256, claims({ iss: ['i'] }))],
  ['another audience', CLAIM, () => hmac(HS256, claims({ aud: 'b' }))],
  [
    'an audience that begins like ours',
    CLAIM,
    () => hmac(HS256, claims({ aud: ['a.evil.example'] })),
  ],
  ['no audience', CLAIM, () => hmac(HS256, claims({ aud: undefined }))],
  ['the end before the beginning of time', EXPIRED, () => hmac(HS256, claims({ exp: -1 }))],
  ['an end of zero', EXPIRED, () => hmac(HS256, claims({ exp: 0 }))],
  [
    'an end in the last minute, with a fraction',
    EXPIRED,
    () => hmac(HS256, claims({ exp: later() - 660.5 })),
  ],
  [
    'an end with a fraction of a second',
    'accepted',
    () => hmac(HS256, claims({ exp: later() + 0.5 })),
  ],
  ['an end in the year 10000', CLAIM, () => hmac(HS256, claims({ exp: 253_402_300_800 }))],
  ['an end in the year 9999', 'accepted', () => hmac(HS256, claims({ exp: 253_402_300_799 }))],
  ['an end as text', CLAIM, () => hmac(HS256, claims({ exp: String(later()) }))],
  ['an end that is null', CLAIM, () => hmac(HS256, claims({ exp: null }))],
  ['an end in a list', CLAIM, () => hmac(HS256, claims({ exp: [later()] }))],
  [
    'an end that is no finite number',
    CLAIM,
    () => hmac(HS256, '{"sub":"a","exp":1e400,"iss":"i","aud":"a"}'),
  ],
  ['no end', CLAIM, () => hmac(HS256, claims({ exp: undefined }))],
  [
    'two ends, the last one past',
    EXPIRED,
    () => hmac(HS256, `{"sub":"a","exp":${later()},"iss":"i","aud":"a","exp":1}`),
  ],
  ['a beginning in the future', CLAIM, () => hmac(HS256, claims({ nbf: later() }))],
  ['a beginning that is text', CLAIM, () => hmac(HS256, claims({ nbf: '0' }))],
  [
    'an end inherited from a prototype',
    CLAIM,
    () => hmac(HS256, `{"sub":"a","iss":"i","aud":"a","__proto__":{"exp":${later()}}}`),
  ],
];

const swapClaims = (token: string, payload: object): string => {
  const [header, , signature] = token.split('.');
  return `${header}.${encode(payload)}.${signature}`;
};
const swapHeader = (token: string, header: object): string =>
  `${encode(header)}.${token.split('.').slice(1).join('.')}`;

describe('a service with a secret', () => {
  const check = createAuthenticate({ keys: { kind: 'secret', secret: SECRET }, ...rules });
  it.each(ON_A_SECRET)('answers %s with %s', async (_, code, token) => {
    expect(await codeOf(check, await token())).toBe(code);
  });
});

describe('a service whose secret is being rotated', () => {
  const keys = { kind: 'secret', secret: `${SECRET}, and newer`, previous: SECRET } as const;
  const check = createAuthenticate({ keys, ...rules });
  it.each(ON_A_SECRET)(
    'answers %s, signed with the previous secret, with %s',
    async (_, code, token) => {
      expect(await codeOf(check, await token())).toBe(code);
    },
  );
});

describe('a service with published keys', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const evil = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const asked: string[] = [];
  const issuer = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    const ec = { ...(await exportJWK(own.publicKey)), kid: 'ec', alg: 'ES256', use: 'sig' };
    const rs = { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' };
    response.end(JSON.stringify({ keys: [ec, rs] }));
  });
  let origin: string;
  let check: Authenticate;
  beforeAll(async () => {
    await new Promise<void>((done) => issuer.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    check = createAuthenticate({
      keys: { kind: 'jwks', url: new URL(`${origin}/keys`) },
      ...rules,
    });
  });
  afterAll(() => issuer.close());

  const es256 = (header: object, key: KeyObject = evil.privateKey) =>
    new SignJWT(claims() as Record<string, unknown>)
      .setProtectedHeader({ alg: 'ES256', ...header })
      .sign(key);
  const publicTexts = async (): Promise<(string | Buffer)[]> => [
    await exportSPKI(rsa.publicKey as never),
    (await exportSPKI(rsa.publicKey as never)).trim(),
    rsa.publicKey.export({ type: 'spki', format: 'der' }),
    rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }),
    JSON.stringify(await exportJWK(rsa.publicKey)),
  ];
  const confuse = async (kid: string, form: number) =>
    hmac({ ...HS256, kid }, claims(), (await publicTexts())[form] ?? '');
  const zeros = (kid: string) =>
    `${encode({ alg: 'ES256', kid })}.${encode(claims())}.${Buffer.alloc(64).toString('base64url')}`;

  const attacks: Attack[] = [
    ['nothing wrong', 'accepted', () => es256({ kid: 'ec' }, own.privateKey)],
    ...[0, 1, 2, 3, 4].flatMap((form): Attack[] => [
      [`the public RSA key as a secret, form ${form}`, UNSIGNED, () => confuse('rsa', form)],
      [`the same under the id of the EC key, form ${form}`, UNSIGNED, () => confuse('ec', form)],
    ]),
    [
      'none under a published id',
      UNSIGNED,
      () => `${encode({ alg: 'none', kid: 'ec' })}.${encode(claims())}.`,
    ],
    ['a signature of zeros (CVE-2022-21449)', UNSIGNED, () => zeros('ec')],
    ['another key under a published id', UNSIGNED, () => es256({ kid: 'ec' })],
    ['another key without an id', UNSIGNED, () => es256({})],
    [
      'an RSA algorithm under the id of the EC key',
      'auth_token_unknown',
      () => `${encode({ alg: 'RS256', kid: 'ec' })}.${encode(claims())}.AAAA`,
    ],
    [
      'an algorithm that the key is not for',
      'auth_token_unknown',
      () => `${encode({ alg: 'PS256', kid: 'rsa' })}.${encode(claims())}.AAAA`,
    ],
    ['a key in the header', UNSIGNED, async () => es256({ jwk: await exportJWK(evil.publicKey) })],
    ['a key set of its own', UNSIGNED, () => es256({ kid: 'ec', jku: `${origin}/evil-set` })],
    [
      'a certificate of its own',
      UNSIGNED,
      () => es256({ kid: 'ec', x5u: `${origin}/evil-certificate` }),
    ],
    ['a chain in the header', UNSIGNED, () => es256({ kid: 'ec', x5c: ['AAAA'] })],
    ['an unknown id that is a path', 'auth_token_unknown', () => es256({ kid: '../../evil' })],
    [
      'an unknown id that is a URL',
      'auth_token_unknown',
      () => es256({ kid: `${origin}/evil-id` }),
    ],
    [
      'an id that is an object',
      'auth_token_unknown',
      () => es256({ kid: { $ne: null } } as object),
    ],
  ];
  it.each(attacks)('answers %s with %s', async (_, code, token) => {
    expect(await codeOf(check, await token())).toBe(code);
  });

  it('fetches keys only from the issuer', () => {
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set(['/keys']));
  });
});
