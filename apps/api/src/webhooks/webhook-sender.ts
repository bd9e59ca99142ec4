// Sends one request to a receiver: signed, to an address that was checked, within a deadline, without redirects.
import { lookup, Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { hostOf, isPublicAddress } from './webhook-address.ts';
import { DEADLINE_MS, RESPONSE_BYTES } from './webhook-limits.ts';

export type WebhookMessage = {
  url: string;
  /** The `webhook-id`: the same for each attempt. */
  id: string;
  /** Each signs, so that a receiver may know only one of them. */
  secrets: readonly string[];
  body: string;
};

/** The outcome of one request. Without a status code there was no response, and `error` has the reason. */
export type Attempt = {
  statusCode?: number;
  durationMs: number;
  /** The first KiB, of public addresses only: a person who manages webhooks must not read internal services. */
  response?: string;
  error?: string;
  /** From the response. */
  retryAfterMs?: number;
};

export type SendWebhook = (message: WebhookMessage, signal?: AbortSignal) => Promise<Attempt>;

type Address = { address: string; family: 4 | 6 };

type SenderOptions = {
  allowPrivate: boolean;
  /** Finds the addresses of a name. */
  resolve?: (host: string) => Promise<Address[]>;
  isPublic?: (address: string) => boolean;
  deadlineMs?: number;
};

/** An address that webhooks may not be sent to. */
class AddressError extends Error {
  override readonly name = 'AddressError';
}

export const createWebhookSender = (options: SenderOptions): SendWebhook => {
  const { allowPrivate, isPublic = isPublicAddress, deadlineMs = DEADLINE_MS } = options;
  const { resolve = allowPrivate ? resolveLocally : resolvePublicly } = options;
  const check = (address: string): void => {
    if (!allowPrivate && !isPublic(address)) {
      throw new AddressError('The host has an address that webhooks are not sent to.');
    }
  };

  /** The addresses of the host. All of them are checked, since the connection may use any of them. */
  const findAddresses = async (host: string): Promise<Address[]> => {
    const family = isIP(host);
    const found = family === 4 || family === 6 ? [{ address: host, family }] : await resolve(host);
    for (const { address } of found) check(address);
    if (found.length === 0) throw new AddressError('The host has no address.');
    return found as Address[];
  };

  return async (message, stopping) => {
    const startedAt = performance.now();
    const deadline = AbortSignal.timeout(deadlineMs);
    const signal = stopping ? AbortSignal.any([deadline, stopping]) : deadline;
    const measure = () => Math.round(performance.now() - startedAt);
    try {
      const url = new URL(message.url);
      const addresses = await beforeAbort(findAddresses(hostOf(url)), signal);
      const request = { url, addresses, check, headers: sign(message), signal };
      const { address, ...response } = await beforeAbort(post(request, message.body), signal);
      const { text, ...outcome } = response;
      return { ...outcome, durationMs: measure(), ...(isPublic(address) && { response: text }) };
    } catch (error) {
      const seconds = deadlineMs / 1_000;
      const late = `The response took longer than ${seconds} seconds.`;
      return { durationMs: measure(), error: deadline.aborted ? late : describe(error) };
    }
  };
};

type Request = {
  url: URL;
  addresses: readonly Address[];
  /** Throws for an address that is not permitted. */
  check: (address: string) => void;
  headers: Record<string, string>;
  signal: AbortSignal;
};

type Response = { statusCode: number; address: string; text: string; retryAfterMs?: number };

const post = (
  { url, addresses, check, headers, signal }: Request,
  body: string,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const sent = request({
      method: 'POST',
      host: hostOf(url),
      port: url.port,
      path: url.pathname + url.search,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // A connection of its own: one that is kept open could lead to an address that is no longer permitted.
      agent: false,
      lookup: createLookup(addresses),
      signal,
    });
    let address = '';
    sent.on('error', reject);
    sent.on('socket', (socket) =>
      socket.once('connect', () => {
        address = socket.remoteAddress ?? '';
        try {
          check(address);
        } catch (error) {
          sent.destroy(error as Error);
        }
      }),
    );
    // Without a listener, Node.js would end the connection and report nothing.
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The receiver asked for another protocol.'));
    });
    sent.on('response', (response) => {
      const { statusCode = 0 } = response;
      const retryAfterMs = readRetryAfter(response.headers['retry-after']);
      const facts = { statusCode, address, ...(retryAfterMs !== undefined && { retryAfterMs }) };
      readStart(response).then((text) => {
        sent.destroy();
        resolve({ ...facts, text });
      }, reject);
    });
    sent.end(body);
  });

/** Answers with the addresses that were checked: the name is not resolved again. */
const createLookup =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };

/** The first bytes as text. A longer response is not read. */
const readStart = async (response: http.IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= RESPONSE_BYTES) break;
  }
  const start = Buffer.concat(chunks).subarray(0, RESPONSE_BYTES);
  // PostgreSQL stores no U+0000.
  return start.toString('utf8').replaceAll('\u0000', '\ufffd');
};

const sign = ({ id, secrets, body }: WebhookMessage): Record<string, string> => {
  const at = new Date();
  return {
    'content-type': 'application/json',
    'user-agent': 'muster-webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
};

/** Only seconds: receivers that are overloaded send those. */
const readRetryAfter = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;

const DNS_LIMITS = { timeout: 3_000, tries: 2 };

/** Asks the name servers. `lookup` would wait in one of the few threads that also verify tokens. */
const resolvePublicly = async (host: string): Promise<Address[]> => {
  const resolver = new Resolver(DNS_LIMITS);
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  const list = (found: PromiseSettledResult<string[]>, family: Address['family']): Address[] =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];
  return [...list(four, 4), ...list(six, 6)];
};

/** Also finds names that only this machine knows. */
const resolveLocally = async (host: string): Promise<Address[]> =>
  (await lookup(host, { all: true })) as Address[];

const beforeAbort = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });

const MAX_REASON_LENGTH = 200;

const describe = (error: unknown): string => {
  if (error instanceof AddressError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return `No response (${code}).`.slice(0, MAX_REASON_LENGTH);
};
