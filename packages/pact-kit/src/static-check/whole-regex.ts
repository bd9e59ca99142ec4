// Regular expressions of matchers, as the verifier reads them: they must match the whole value.

/** Compiles a matcher's expression; null when it cannot be read. Pacts use the syntax of Rust's regex crate. */
export const compileWhole = (source: string): RegExp | null => {
  const [, flags = '', rest = source] = /^\(\?([ims]+)\)([\s\S]*)$/.exec(source) ?? [];
  const body = rest.replaceAll('\\A', '^').replaceAll('\\z', '$').replaceAll('(?P<', '(?<');
  try {
    return new RegExp(`^(?:${body})$`, flags);
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
