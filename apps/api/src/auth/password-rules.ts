// Which passwords a person may choose, besides their length.
import { ServiceError } from '../platform/index.ts';

/** 49,000 passwords, the most frequent ones of public breaches. Loaded with the first new password, as it takes 4 MB. */
const loadCommon = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
};
let common: Promise<ReadonlySet<string>> | undefined;

type NewPassword = {
  password: string;
  /** The field of the input. */
  place: string;
  /** Of the account. */
  email: string;
  name: string;
};

/**
 * Throws `password_unfit` for a common password, and for the name or e-mail address of the account: also with digits, signs or spaces
 * around or inside it, or written twice. The product's name is a common password.
 */
export const refuseGuessablePassword = async (chosen: NewPassword): Promise<void> => {
  common ??= loadCommon();
  const known = await common;
  const password = chosen.password.toLowerCase();
  const refuse = (reason: string): never => {
    const desc = `${reason}: attackers try it first. Choose several words that do not belong together.`;
    throw new ServiceError('password_unfit', { place: chosen.place, desc });
  };
  if (IS_REPEATED.test(password) || listBases(password).some((base) => known.has(base))) {
    refuse('This password is too common');
  }
  const own = listOwnWords(chosen).flatMap((word) => [word, keepLetters(word)]);
  if ([...listBases(password), keepLetters(password)].some((base) => base && own.includes(base))) {
    refuse('This password is your name or your e-mail address');
  }
};

/** One to three characters again and again. */
const IS_REPEATED = /^(.{1,3})\1+$/su;

const listBases = (password: string): string[] => {
  const bare = password.replace(/^[\s\d\p{P}\p{S}]+|[\s\d\p{P}\p{S}]+$/gu, '');
  const half = password.slice(0, password.length / 2);
  const words = new Set(password.split(/[^\p{L}]+/u).filter(Boolean));
  return [
    password,
    bare,
    ...(half + half === password ? [half] : []),
    ...(words.size === 1 ? words : []),
  ];
};

const listOwnWords = ({ email, name }: NewPassword): string[] =>
  [email, email.slice(0, email.lastIndexOf('@')), name].map((word) => word.toLowerCase());

const keepLetters = (text: string): string => text.replace(/[^\p{L}]+/gu, '');
