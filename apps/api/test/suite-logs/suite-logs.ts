// Keeps the logs of every service of the suite, and every secret that the suite uses, so that the end of the run can
// compare them.
import { appendFileSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Set by the global set-up; absent when a service is started outside of the suite. */
export const LOGS_FOLDER = 'MUSTER_SUITE_LOGS';

const folderOf = (): string | undefined => process.env[LOGS_FOLDER];
/** One file of each kind per worker. */
const fileOf = (folder: string, kind: 'log' | 'secrets') => join(folder, `${process.pid}.${kind}`);

/** A log file for a service of this process, at the most verbose level; undefined outside of the suite. */
export const openSuiteLog = (): number | undefined => {
  const folder = folderOf();
  return folder === undefined ? undefined : openSync(fileOf(folder, 'log'), 'a');
};

/** Returns a function that reads the log lines of this process's services since the call. */
export const watchSuiteLog = (): (() => string) => {
  const folder = folderOf();
  if (folder === undefined) throw new Error('Only the suite keeps what services log.');
  const read = (): Buffer => readFileSync(fileOf(folder, 'log'));
  const { length } = read();
  return () => read().subarray(length).toString();
};

/** Standard error of a service process. */
export const keepLog = (text: string): void => {
  const folder = folderOf();
  if (folder !== undefined) appendFileSync(fileOf(folder, 'log'), text);
};

/** Shorter secrets could match by accident. */
const MIN_LENGTH = 12;
const noted = new Set<string>();

/** No log of the suite may contain one of these. Tokens and API keys are recognised by their form and need no note. */
export const noteSecrets = (...secrets: (string | undefined)[]): void => {
  const folder = folderOf();
  if (folder === undefined) return;
  for (const secret of secrets) {
    if (secret === undefined || secret.length < MIN_LENGTH || noted.has(secret)) continue;
    noted.add(secret);
    appendFileSync(fileOf(folder, 'secrets'), `${JSON.stringify(secret)}\n`);
  }
};

/** Secrets in the environment of a service. */
export const noteEnvironment = (environment: Record<string, string | undefined>): void => {
  const { AUTH_JWT_SECRET, ACCOUNTS_SECRET, OIDC_CLIENT_SECRET, DATABASE_URL } = environment;
  noteSecrets(AUTH_JWT_SECRET, ACCOUNTS_SECRET, OIDC_CLIENT_SECRET);
  noteSecrets(URL.parse(DATABASE_URL ?? '')?.password);
};

/** Members of a response that are shown once: a key, a one-time password, the link of an invitation. */
export const noteAnswer = (answer: unknown): void => {
  if (typeof answer !== 'object' || answer === null) return;
  const { key, one_time_password, url } = answer as Record<string, unknown>;
  for (const one of [key, one_time_password]) if (typeof one === 'string') noteSecrets(one);
  if (typeof url === 'string') noteSecrets(url.split('#token=')[1]);
};

// Searches logs for secrets: the given ones, and text with the form of one.

/** Credentials with a recognisable form. */
const FORMS: readonly RegExp[] = [
  // A JWT whose three parts are not a test's `a.b.c`.
  /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/,
  /msk_[\w-]{43}/,
  /#token=[\w-]{43}/,
  /Bearer +[\w.-]{12,}/i,
  /session_token=[^;"\s]{10,}/,
  /postgres(ql)?:\/\/[^:/"\s]+:[^@"\s]+@/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
];

const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Its forms in a log: JSON escapes some characters, URLs and cookies others. */
const spellingsOf = (secret: string): string[] => [
  ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
];

/** The lines that contain a secret, each shortened. */
export const findSecrets = (log: string, secrets: readonly string[]): string[] => {
  const known = secrets.flatMap(spellingsOf).map(quote);
  const forms = [...FORMS, ...(known.length > 0 ? [new RegExp(known.join('|'))] : [])];
  return log
    .split('\n')
    .filter((line) => forms.some((form) => form.test(line)))
    .map((line) => line.slice(0, 500));
};
