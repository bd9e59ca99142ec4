// Sends a request of the verifier on to the service as it is, but for ids and credential.
import type { IncomingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

export type ForwardedRequest = {
  method: string;
  /** Path and query, exactly as they are to be sent. */
  target: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

export type ServiceAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** A service that hangs is a finding, not a verification that never ends. */
const ANSWER_TIMEOUT_MS = 10_000;
const PER_CONNECTION = ['host', 'connection', 'transfer-encoding', 'accept-encoding', 'expect'];

export const forwardRequest = (
  baseUrl: string,
  { method, target, headers, body }: ForwardedRequest,
): Promise<ServiceAnswer> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, port, pathname } = new URL(baseUrl);
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send({
      hostname: hostname.replace(/^\[|\]$/g, ''),
      ...(port && { port: Number(port) }),
      method,
      path: `${pathname.replace(/\/$/, '')}${target}`,
      headers: { ...omit(headers, PER_CONNECTION), 'content-length': body.length },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    request.on('error', reject);
    request.on('response', async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const { statusCode = 502, headers: answered } = response;
        resolve({ status: statusCode, headers: answered, body: Buffer.concat(chunks) });
      } catch (error) {
        reject(error);
      }
    });
    request.end(body);
  });

export const omit = (headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
