// Sends a request exactly as written. node:http and not fetch: fetch normalises paths, refuses some
// requests that a hostile client can send, and hides what went over the wire.
import http from 'node:http';
import https from 'node:https';
import type { Answer, HttpRequest } from './exchange.ts';
import { parseJson, prefixOf } from './exchange.ts';

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
