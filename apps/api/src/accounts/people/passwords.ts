// One-time passwords, and the slow hash that the accounts library checks passwords by.
import { randomInt } from 'node:crypto';
import { hashPassword } from '@better-auth/utils/password';

/** Without characters that look alike: people type these from a terminal. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** 20 of 54 letters: 115 bits. */
export const makeOneTimePassword = (): string => {
  const group = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return [group(), group(), group(), group()].join('-');
};

export { hashPassword };
