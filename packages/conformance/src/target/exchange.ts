// One request and its answer, and how a reader of a failure can repeat it.
import type { IncomingHttpHeaders } from 'node:http';

export type HttpRequest = {
  method: string;
  /** Path and query exactly as they go over the wire, below the base URL. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Sends the body without a Content-Length, in chunks. */
  chunked?: boolean;
};

export type Answer = {
  request: HttpRequest;
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed JSON body; undefined when the body is not JSON. */
  body: unknown;
};

const MAX_SHOWN = 2000;

const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text;

const quote = (text: string): string => `'${shorten(text).replaceAll("'", `'\\''`)}'`;

/** Tokens must not reach logs: whoever reads a failure mints a token of their own. */
const redact = (name: string, value: string): string =>
  name.toLowerCase() === 'authorization' ? value.replace(/\S+$/, '<token>') : value;

/** The request as a `curl` line, without its token. */
export const describeRequest = (baseUrl: URL, request: HttpRequest): string => {
  const headers = Object.entries(request.headers ?? {}).map(
    ([name, value]) => `-H ${quote(`${name}: ${redact(name, value)}`)}`,
  );
  const body = request.body === undefined ? [] : [`--data-binary ${quote(bodyText(request.body))}`];
  const url = `${baseUrl.origin}${prefixOf(baseUrl)}${request.path}`;
  return ['curl -i --path-as-is -X', request.method, ...headers, ...body, quote(url)].join(' ');
};

const bodyText = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : `<${body.byteLength} bytes>`;

/** The path that the base URL itself has, without its trailing slash. */
export const prefixOf = (baseUrl: URL): string => baseUrl.pathname.replace(/\/$/, '');

export const describeAnswer = (answer: Answer): string => {
  const shown = ['content-type', 'etag', 'retry-after', 'allow'] as const;
  const headers = shown.flatMap((name) =>
    answer.headers[name] === undefined ? [] : [`${name}: ${answer.headers[name]}`],
  );
  return [`HTTP ${answer.status}`, ...headers, shorten(answer.text)].join('\n');
};

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
