// Looks for secrets in logs: those that are given, and whatever looks like one.

/** Credentials that have a form of their own. */
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

/** As it stands in a log: JSON escapes some characters, URLs and cookies others. */
const spellingsOf = (secret: string): string[] => [
  ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
];

/** The lines that tell a secret, each shortened; none when all is well. */
export const findSecrets = (log: string, secrets: readonly string[]): string[] => {
  const known = secrets.flatMap(spellingsOf).map(quote);
  const forms = [...FORMS, ...(known.length > 0 ? [new RegExp(known.join('|'))] : [])];
  return log
    .split('\n')
    .filter((line) => forms.some((form) => form.test(line)))
    .map((line) => line.slice(0, 500));
};
