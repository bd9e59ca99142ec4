// The part of a Pact broker's HAL API that a provider needs: links are followed, never guessed, where it has them.
import { Problem, sentenceOf } from '../findings.ts';
import { decodePart, isRecord } from '../values.ts';

export type BrokerAccess = { url: string; token?: string; username?: string; password?: string };

type Resource = {
  _links?: Record<string, { href: string; templated?: boolean; name?: string } | undefined>;
  _embedded?: Record<string, unknown>;
  [field: string]: unknown;
};

export type HalClient = {
  get: (url: string) => Promise<Resource>;
  send: (method: 'POST' | 'PUT', url: string, body: object) => Promise<Resource>;
  /** The URL of a link of the broker's index, its placeholders filled in; null when the broker has no such link. */
  findLink: (relation: string, values?: Readonly<Record<string, string>>) => Promise<string | null>;
  headers: Readonly<Record<string, string>>;
};

const TIMEOUT_MS = 30_000;

/** Every failure is a Problem that names the broker and what it answered. */
export const createHalClient = (access: BrokerAccess, signal?: AbortSignal): HalClient => {
  const { url: written, headers: inUrl } = splitCredentials(access.url);
  const base = written.replace(/\/+$/, '');
  if (!/^https?:\/\//.test(base) || !URL.canParse(base)) {
    throw new Problem(`--broker ${base} is no http or https URL.`);
  }
  const headers = { ...inUrl, ...credentialHeaders(access) };

  const request = async (method: string, url: string, body?: object): Promise<Resource> => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/hal+json, application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return readAnswer(response, await response.text(), method, url);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Problem) throw error;
      throw new Problem(`The broker at ${base} does not answer: ${sentenceOf(error)}.`);
    }
  };

  const get = (url: string) => request('GET', url);
  let index: Promise<Resource> | undefined;
  return {
    get,
    send: request,
    headers,
    findLink: async (relation, values = {}) => {
      index ??= get(`${base}/`);
      const href = readLink(await index, relation);
      const expanded = href?.replace(/\{([^}]+)\}/g, (_, name: string) =>
        encodeURIComponent(values[name] ?? ''),
      );
      return expanded === undefined ? null : new URL(expanded, `${base}/`).href;
    },
  };
};

const credentialHeaders = ({ token, username, password }: BrokerAccess): Record<string, string> => {
  if (token) return { authorization: `Bearer ${token}` };
  if (!username) return {};
  const pair = Buffer.from(`${username}:${password ?? ''}`).toString('base64');
  return { authorization: `Basic ${pair}` };
};

const readAnswer = (response: Response, text: string, method: string, url: string): Resource => {
  if (!response.ok) {
    const said = text.trim().split('\n')[0]?.slice(0, 200);
    throw new Problem(
      `The broker answered ${response.status} to ${method} ${url}${said ? `: ${said}` : '.'}`,
    );
  }
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value as Resource;
  } catch {
    // The same sentence as for JSON that is no resource.
  }
  throw new Problem(`The broker answered ${method} ${url} with something that is no HAL resource.`);
};

/** Where a link of any answer leads; null where there is none, whatever else stands there. */
export const readLink = (resource: unknown, relation: string): string | null => {
  const links = isRecord(resource) ? resource._links : null;
  const link = isRecord(links) ? links[relation] : null;
  return isRecord(link) && typeof link.href === 'string' ? link.href : null;
};

// User and password inside a URL: fetch refuses them there, and a report must not name them.

type SplitUrl = { url: string; headers: Record<string, string> };

/** The URL without them, byte for byte where it has none, and the header that says the same. */
export const splitCredentials = (written: string): SplitUrl => {
  if (!URL.canParse(written)) return { url: written, headers: {} };
  const url = new URL(written);
  if (url.username === '' && url.password === '') return { url: written, headers: {} };
  const pair = `${decodePart(url.username)}:${decodePart(url.password)}`;
  url.username = '';
  url.password = '';
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  return { url: url.href, headers: { authorization } };
};
