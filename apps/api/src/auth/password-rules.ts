// Which passwords a person may choose, besides their length.
import { ServiceError } from '../platform/index.ts';

/** 49,000 passwords, the most frequent ones of public breaches. Loaded with the first new password, as it takes 4 MB. */
const loadCommon = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
};
let common: Promise<ReadonlySet<string>> | undefined;

/** Throws `password_unfit` for a common password, also with digits or signs around it or written twice. */
export const refuseCommonPassword = async (password: string, place: string): Promise<void> => {
  common ??= loadCommon();
  const known = await common;
  const isCommon = listBases(password.toLowerCase()).some((base) => known.has(base));
  if (!isCommon && !IS_REPEATED.test(password)) return;
  throw new ServiceError('password_unfit', {
    place,
    desc: 'This password is too common: attackers try it first. Choose several words that do not belong together.',
  });
};

/** One to three characters again and again. */
const IS_REPEATED = /^(.{1,3})\1+$/su;

const listBases = (password: string): string[] => {
  const bare = password.replace(/^[\d\p{P}\p{S}]+|[\d\p{P}\p{S}]+$/gu, '');
  const half = password.slice(0, password.length / 2);
  return [password, bare, ...(half + half === password ? [half] : [])];
};
