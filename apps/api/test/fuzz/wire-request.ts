// A raw request and its response. Uses Node's own client, since fetch normalises paths and headers.
import { Agent, request as httpRequest } from 'node:http';

export type WireRequest = {
  method: string;
  /** The request target: raw, with its query. */
  target: string;
  headers: readonly (readonly [string, string])[];
  /** Bytes as text, one character each. */
  body?: string;
};

export type WireAnswer = {
  status: number;
  headers: Headers;
  text: string;
  /** From the last byte sent to the last byte read. */
  durationMs: number;
};

/** A slower response is a finding, whatever its content. */
const TIMEOUT_MS = 20_000;

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

export const closeWire = (): void => agent.destroy();

/** Throws without a complete response. */
export const sendWire = (
  baseUrl: string,
  { method, target, headers, body }: WireRequest,
): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const started = performance.now();
    const request = httpRequest({
      hostname,
      port,
      method,
      path: target,
      agent,
      timeout: TIMEOUT_MS,
    });
    for (const [name, values] of groupHeaders(headers)) request.setHeader(name, values);
    request.on('timeout', () => request.destroy(new Error('There was no answer.')));
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('aborted', () => reject(new Error('The answer was cut off.')));
      response.on('end', () => {
        const pairs: [string, string][] = [];
        for (let at = 0; at < response.rawHeaders.length; at += 2) {
          pairs.push([response.rawHeaders[at] ?? '', response.rawHeaders[at + 1] ?? '']);
        }
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(pairs),
          text: Buffer.concat(chunks).toString(),
          durationMs: performance.now() - started,
        });
      });
    });
    request.end(body === undefined ? undefined : Buffer.from(body, 'latin1'));
  });

/** A later value of a single-valued header replaces the earlier one; duplicates are sent twice. */
const groupHeaders = (headers: WireRequest['headers']): Map<string, string | string[]> => {
  const grouped = new Map<string, string | string[]>();
  for (const [name, value] of headers) {
    const before = grouped.get(name);
    const replaces = before === undefined || REPLACED.has(name);
    grouped.set(name, replaces ? value : [before, value].flat());
  }
  return grouped;
};
const REPLACED = new Set(['host', 'content-type', 'authorization', 'content-encoding', 'origin']);
