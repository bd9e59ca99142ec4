// Date formats of matchers and generators, in the letters of Java's DateTimeFormatter: what they accept and an example.

type Letter = {
  /** An expression for what it may write. */
  accepts: string;
  write: (length: number) => string;
};

const always = (text: string) => () => text;
const twoDigits = (text: string) => (length: number) =>
  length === 1 ? String(Number(text)) : text;
const offset = (length: number): string =>
  ['+00', '+0000', '+00:00'][Math.min(length, 3) - 1] ?? '';

const LETTERS: Record<string, Letter> = {
  y: { accepts: '\\d{2,4}', write: (length) => (length === 2 ? '26' : '2026') },
  u: { accepts: '\\d{4}', write: always('2026') },
  M: {
    accepts: '(?:\\d{1,2}|[A-Z][a-z]+)',
    write: (length) => ['3', '03', 'Mar', 'March'][Math.min(length, 4) - 1] ?? '',
  },
  d: { accepts: '\\d{1,2}', write: twoDigits('14') },
  D: { accepts: '\\d{1,3}', write: always('73') },
  E: { accepts: '[A-Z][a-z]+', write: (length) => (length > 3 ? 'Saturday' : 'Sat') },
  a: { accepts: '[AaPp][Mm]', write: always('AM') },
  H: { accepts: '\\d{2}', write: twoDigits('09') },
  h: { accepts: '\\d{1,2}', write: twoDigits('09') },
  m: { accepts: '\\d{2}', write: twoDigits('26') },
  s: { accepts: '\\d{2}', write: twoDigits('53') },
  S: { accepts: '\\d+', write: (length) => '589000000'.slice(0, length) },
  n: { accepts: '\\d+', write: always('589000000') },
  X: { accepts: '(?:Z|[+-]\\d{2}(?::?\\d{2})?)', write: always('Z') },
  x: { accepts: '[+-]\\d{2}(?::?\\d{2})?', write: offset },
  Z: { accepts: '(?:Z|[+-]\\d{2}:?\\d{2})', write: offset },
  z: { accepts: '(?:[A-Z]{1,5}|[+-]\\d{2}:?\\d{2})', write: always('UTC') },
};

const DATE_TIME = "yyyy-MM-dd'T'HH:mm:ss";
const DEFAULTS: Record<string, string> = {
  date: 'yyyy-MM-dd',
  time: 'HH:mm:ss',
  timestamp: DATE_TIME,
  datetime: DATE_TIME,
};

export const isDateKind = (kind: string): boolean => Object.hasOwn(DEFAULTS, kind);

/** Replaces each run of one known letter, and passes quoted text and everything else to `ofText`. */
const replaceLetters = (
  kind: string,
  format: unknown,
  ofLetter: (letter: Letter, length: number) => string,
  ofText: (text: string) => string,
): string => {
  const text = typeof format === 'string' && format !== '' ? format : (DEFAULTS[kind] ?? '');
  return text.replace(
    /'([^']*)'|([A-Za-z])\2*|[^A-Za-z']/g,
    (run: string, quoted: string | undefined, name: string | undefined) => {
      const letter = name === undefined ? undefined : LETTERS[name];
      return letter ? ofLetter(letter, run.length) : ofText(quoted ?? run);
    },
  );
};

/** The expression for values of a date format. */
export const toDateRegex = (kind: string, format: unknown): RegExp => {
  const escapeText = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${replaceLetters(kind, format, ({ accepts }) => accepts, escapeText)}$`);
};

/** A date in a format. */
export const writeDate = (kind: string, format: unknown): string =>
  replaceLetters(
    kind,
    format,
    ({ write }, length) => write(length),
    (text) => text,
  );
