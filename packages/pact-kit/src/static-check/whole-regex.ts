// Regular expressions of matchers, as the verifier reads them: they must match the whole value.

const POSIX_CLASSES: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

/** Compiles a matcher's expression; null when it cannot be read. Pacts use the syntax of Rust's regex crate. */
export const compileWhole = (source: string): RegExp | null => {
  const [, flags = '', rest = source] = /^\(\?([imsux]+)\)([\s\S]*)$/.exec(source) ?? [];
  const spaced = flags.includes('x') ? withoutSpaces(rest) : rest;
  const body = spaced
    .replaceAll('\\A', '^')
    .replaceAll('\\z', '$')
    .replaceAll('(?P<', '(?<')
    .replace(/\[:(\w+):\]/g, (written, name) => POSIX_CLASSES[String(name)] ?? written);
  const own = flags.replace(/[ux]/g, '');
  // Properties of characters need the flag u, which refuses escapes that Rust allows.
  return tryCompile(body, own, /\\p\{/i.test(body));
};

/** The flag x: spaces and comments are for the reader. */
const withoutSpaces = (source: string): string =>
  source.replace(/\\.|\s+|#[^\n]*/gs, (part) => (part.startsWith('\\') ? part : ''));

const tryCompile = (body: string, flags: string, isUnicode: boolean): RegExp | null => {
  try {
    return new RegExp(`^(?:${body})$`, isUnicode ? `${flags}u` : flags);
  } catch {
    return null;
  }
};

/** Words that a value might be if the expression lists more than the contract does. */
const STRANGERS = ['unknown', 'other', 'something-else', 'x', '0', '-1', ''];

/**
 * A value that the expression accepts and the list does not have, or null when none was found. Tried: the words in the
 * expression itself, the listed values in other cases or with an ending, and a few strangers.
 */
export const findOutsider = (regex: RegExp, allowed: readonly string[]): string | null => {
  const words = regex.source.match(/[A-Za-z0-9_]+/g) ?? [];
  const variants = allowed.flatMap((value) => [
    value.toUpperCase(),
    value.toLowerCase(),
    `${value}x`,
    value.slice(1),
    value.slice(0, -1),
  ]);
  const candidates = [...words, ...STRANGERS, ...variants];
  return candidates.find((word) => !allowed.includes(word) && regex.test(word)) ?? null;
};
