// Sends a request exactly as written. node:http and not fetch: fetch normalises paths, refuses some
// requests that a hostile client can send, and hides what went over the wire.

import type { IncomingHttpHeaders } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';

const agents = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: 64 }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: 64 }),
};

/** Closes the idle connections, so that a program which ran the suite can end. */
export const closeConnections = (): void => {
  for (const agent of Object.values(agents)) agent.destroy();
};

const isSecure = (baseUrl: URL): boolean => baseUrl.protocol === 'https:';

/** Rejects only when no answer arrives; every status is an answer. */
export const sendRequest = async (
  baseUrl: URL,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<Answer> => {
  try {
    return await sendOnce(baseUrl, request, signal, true);
  } catch (error) {
    if (!isStaleConnection(error)) throw error;
    return sendOnce(baseUrl, request, signal, false);
  }
};

/** A server may close a kept connection in the moment that it is used again (RFC 9112 section 9.3.1). */
const isStaleConnection = (error: unknown): boolean =>
  error instanceof Error && 'reusedSocket' in error && error.reusedSocket === true;

const sendOnce = (
  baseUrl: URL,
  request: HttpRequest,
  signal: AbortSignal,
  keepAlive: boolean,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = (isSecure(baseUrl) ? https : http).request({
      host: baseUrl.hostname.replace(/^\[|\]$/g, ''),
      port: baseUrl.port || (isSecure(baseUrl) ? 443 : 80),
      method: request.method,
      path: `${prefixOf(baseUrl)}${request.path}`,
      headers: headersOf(request),
      agent: keepAlive ? agents[isSecure(baseUrl) ? 'https:' : 'http:'] : false,
      signal,
    });
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(toAnswer(request, response, Buffer.concat(chunks))));
    });
    outgoing.on('error', (error) =>
      reject(Object.assign(error, { reusedSocket: outgoing.reusedSocket })),
    );
    if (request.body !== undefined && request.chunked) outgoing.write(request.body);
    outgoing.end(request.chunked ? undefined : request.body);
  });

const headersOf = (request: HttpRequest): Record<string, string | number> => {
  const { body, chunked, headers } = request;
  if (chunked) return { ...headers, 'transfer-encoding': 'chunked' };
  return { ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }), ...headers };
};

const toAnswer = (request: HttpRequest, response: http.IncomingMessage, bytes: Buffer): Answer => {
  const text = bytes.toString('utf8');
  const status = response.statusCode ?? 0;
  return { request, status, headers: response.headers, text, body: parseJson(text) };
};

// One request and its answer, and how a reader of a failure can repeat it.

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

/** Removes tokens from logs: a reader of a failure signs a new token instead. */
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
const prefixOf = (baseUrl: URL): string => baseUrl.pathname.replace(/\/$/, '');

export const describeAnswer = (answer: Answer): string => {
  const shown = ['content-type', 'etag', 'retry-after', 'allow'] as const;
  const headers = shown.flatMap((name) =>
    answer.headers[name] === undefined ? [] : [`${name}: ${answer.headers[name]}`],
  );
  return [`HTTP ${answer.status}`, ...headers, shorten(answer.text)].join('\n');
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

// Speaks to the service below HTTP, for what no HTTP client can be made to send.

/** Writes the bytes on a connection of its own and reads until the service closes it. */
export const sendBytes = (baseUrl: URL, bytes: string, signal: AbortSignal): Promise<Answer> => {
  if (baseUrl.protocol !== 'http:') throw new SkippedCase('raw bytes are sent over http only');
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(baseUrl.port || 80), baseUrl.hostname);
    const chunks: Buffer[] = [];
    const abort = () => socket.destroy(new Error('The service did not answer and close in time'));
    signal.addEventListener('abort', abort, { once: true });
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) =>
      chunks.length > 0 ? finish() : reject(new Error(`No answer: ${error.message}`)),
    );
    socket.on('close', () => finish());
    const finish = () => {
      signal.removeEventListener('abort', abort);
      resolve(parseAnswer(bytes, Buffer.concat(chunks).toString('utf8')));
    };
  });
};

const parseAnswer = (bytes: string, received: string): Answer => {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const text = rest.join('\r\n\r\n');
  return {
    request: { method: 'RAW', path: ` ${JSON.stringify(bytes.slice(0, 200))}` },
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers: Object.fromEntries(lines.map(toHeader)),
    text,
    body: parseJson(text),
  };
};

const toHeader = (line: string): [string, string] => {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
};

/** Thrown by a case that this run cannot prove, for example without the signing secret; the message explains why. */
export class SkippedCase extends Error {
  override readonly name = 'SkippedCase';
}
