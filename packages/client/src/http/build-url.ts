// Paths and query strings as the service reads them (RFC 3986).

type QueryValue = string | number | readonly (string | number)[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

/**
 * One segment of a path, percent-encoded; `+`, `/` and `=` of a base64 id too.
 * Throws TypeError for what no URL can carry: nothing, `.` and `..` (WHATWG URL removes the two, encoded
 * or not, and the request would reach another path), and lone surrogates.
 */
export const encodeSegment = (name: string, value: string): string => {
  if (value === '' || value === '.' || value === '..' || /\p{Surrogate}/u.test(value)) {
    throw new TypeError(`${name} cannot be sent in a path: ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
};

/** Lists repeat their key (`ids=a&ids=b`); what is undefined is left out. Starts with `?`, or is empty. */
export const encodeQuery = (query: Query): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    toList(value).map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

const toList = (value: QueryValue): readonly (string | number)[] => {
  if (value === undefined) return [];
  return typeof value === 'string' || typeof value === 'number' ? [value] : value;
};

/** The base URL without a slash at its end. Throws TypeError when it is not an http(s) URL. */
export const readBaseUrl = (baseUrl: string | URL): string => {
  const { protocol, origin, pathname } = parseUrl(baseUrl);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`baseUrl must be http or https: ${baseUrl}`);
  return origin + pathname.replace(/\/+$/, '');
};

/** The runtime's own message, "Invalid URL", does not say which of all URLs it means. */
const parseUrl = (baseUrl: string | URL): URL => {
  try {
    return new URL(baseUrl);
  } catch (cause) {
    throw new TypeError(`baseUrl must be a whole URL: ${JSON.stringify(baseUrl)}`, { cause });
  }
};
