import { createHmac } from 'node:crypto';

export const JWT_SECRET = 'a secret that only the tests of the web app sign with';

/** A JWT as the service expects it (RFC 7519, HS256), for one hour. */
export const signToken = (sub: string, permissions: readonly string[]): string => {
  const exp = Math.floor(Date.now() / 1000) + 3_600;
  const parts = [
    { alg: 'HS256', typ: 'JWT' },
    { sub, permissions, exp },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', JWT_SECRET).update(text.join('.')).digest('base64url');
  return [...text, signature].join('.');
};
