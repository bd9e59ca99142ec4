// The form of API keys: `msk_` and 32 random bytes. Only a digest is stored.
import { createHash, randomBytes } from 'node:crypto';

const KEY = /^msk_[A-Za-z0-9_-]{43}$/;
const VISIBLE_CHARACTERS = 12;

export type NewKey = { key: string; prefix: string; digest: Uint8Array<ArrayBuffer> };

export const makeKey = (): NewKey => {
  const key = `msk_${randomBytes(32).toString('base64url')}`;
  return { key, prefix: key.slice(0, VISIBLE_CHARACTERS), digest: digestKey(key) };
};

export const isWellFormedKey = (key: string): boolean => KEY.test(key);

/** A slow hash would add nothing to 256 random bits, and cost every request. */
export const digestKey = (key: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(key).digest());
