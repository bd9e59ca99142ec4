// Finds percent-escapes that mean nothing: bad hexadecimal digits, or bytes that are no UTF-8.
import type { ValidationProblem } from '@muster/contract';

/** The decoded text, or null. A plus stays a plus: only forms write a space so. */
export const decodePercent = (raw: string): string | null => {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
};

export const findBadPathEscapes = (rawParams: Record<string, string>): ValidationProblem[] =>
  Object.entries(rawParams)
    .filter(([, raw]) => decodePercent(raw) === null)
    .map(([name]) => badEscape('path', name));

export const findBadQueryEscapes = (query: string): ValidationProblem[] => {
  if (!query.includes('%')) return [];
  const names = query.split('&').filter((pair) => decodePercent(pair) === null);
  return [...new Set(names.map(nameOfPair))].map((name) => badEscape('query', name));
};

const nameOfPair = (pair: string): string => {
  const raw = pair.split('=', 1)[0] ?? '';
  return decodePercent(raw.replaceAll('+', ' ')) ?? raw;
};

const badEscape = (source: 'path' | 'query', name: string): ValidationProblem => ({
  loc: [source, name],
  msg: 'Must be percent-encoded UTF-8',
  type: 'value_error.percent_encoding',
});
