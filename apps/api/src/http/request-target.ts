// Brings the request target (RFC 9112 section 3.2) into one form: a path that begins with a slash, and a query.

/** `*` and authority forms become paths that no route has. */
export const normalizeTarget = (target: string): string => {
  const origin = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const path = origin.startsWith('/') ? origin : `/${origin}`;
  return path.replace(UNSAFE, escapeByte);
};

/** A raw byte outside ASCII and a `#` mean the same as their escapes; the router would read them otherwise. */
const UNSAFE = /[^!-~]|#/g;
const escapeByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;

/** The target in two: the path, and the query without its question mark. */
export const splitTarget = (target: string): { path: string; query: string } => {
  const at = target.indexOf('?');
  return at < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at + 1) };
};
