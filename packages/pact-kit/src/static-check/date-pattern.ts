// Date formats of matchers (the letters of Java's DateTimeFormatter) as regular expressions.

const LETTERS: Record<string, string> = {
  y: '\\d{2,4}',
  u: '\\d{4}',
  M: '(?:\\d{1,2}|[A-Z][a-z]+)',
  d: '\\d{1,2}',
  D: '\\d{1,3}',
  E: '[A-Z][a-z]+',
  a: '[AaPp][Mm]',
  H: '\\d{2}',
  h: '\\d{1,2}',
  m: '\\d{2}',
  s: '\\d{2}',
  S: '\\d+',
  n: '\\d+',
  X: '(?:Z|[+-]\\d{2}(?::?\\d{2})?)',
  x: '[+-]\\d{2}(?::?\\d{2})?',
  Z: '(?:Z|[+-]\\d{2}:?\\d{2})',
  z: '(?:[A-Z]{1,5}|[+-]\\d{2}:?\\d{2})',
};

const DEFAULTS: Record<string, string> = {
  date: 'yyyy-MM-dd',
  time: 'HH:mm:ss',
  timestamp: "yyyy-MM-dd'T'HH:mm:ss",
  datetime: "yyyy-MM-dd'T'HH:mm:ss",
};

/** What values of the format look like; every letter that is not known stands for itself. */
export const toDateRegex = (kind: string, format: unknown): RegExp => {
  const text = typeof format === 'string' && format !== '' ? format : (DEFAULTS[kind] ?? '');
  const source = text.replace(/'([^']*)'|([A-Za-z])\2*|[^A-Za-z']/g, (run, quoted, letter) => {
    if (quoted !== undefined) return escapeRegex(String(quoted));
    if (letter !== undefined) return LETTERS[String(letter)] ?? escapeRegex(run);
    return escapeRegex(run);
  });
  return new RegExp(`^${source}$`);
};

const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
