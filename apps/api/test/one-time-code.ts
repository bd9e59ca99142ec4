// The codes that an authenticator app shows.
import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const decodeBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** RFC 6238 with its defaults. The code of the next step is also accepted. */
export const makeCode = (uri: string, stepsAhead = 0): string => {
  const secret = decodeBase32(new URL(uri).searchParams.get('secret') ?? '');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
};
