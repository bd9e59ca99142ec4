// The part of a Pact broker's HAL API that a provider needs: links are followed, never guessed, where it has them.
import { Problem, sentenceOf } from '../problem.ts';

export type BrokerAccess = { url: string; token?: string; username?: string; password?: string };

export type Resource = {
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
export const createHalClient = (access: BrokerAccess): HalClient => {
  const base = access.url.replace(/\/+$/, '');
  if (!/^https?:\/\//.test(base) || !URL.canParse(base)) {
    throw new Problem(`--broker ${access.url} is no http or https URL.`);
  }
  const headers = credentialHeaders(access);

  const request = async (method: string, url: string, body?: object): Promise<Resource> => {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/hal+json, application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause ? error.cause : error;
      throw new Problem(`The broker at ${base} does not answer: ${sentenceOf(cause)}.`);
    });
    return readAnswer(response, method, url);
  };

  const get = (url: string) => request('GET', url);
  let index: Promise<Resource> | undefined;
  return {
    get,
    send: request,
    headers,
    findLink: async (relation, values = {}) => {
      index ??= get(`${base}/`);
      const href = (await index)._links?.[relation]?.href;
      return href === undefined ? null : new URL(expand(href, values), `${base}/`).href;
    },
  };
};

const credentialHeaders = ({ token, username, password }: BrokerAccess): Record<string, string> => {
  if (token) return { authorization: `Bearer ${token}` };
  if (!username) return {};
  const pair = Buffer.from(`${username}:${password ?? ''}`).toString('base64');
  return { authorization: `Basic ${pair}` };
};

const readAnswer = async (response: Response, method: string, url: string): Promise<Resource> => {
  const text = await response.text();
  if (!response.ok) {
    const said = text.trim().split('\n')[0]?.slice(0, 200);
    throw new Problem(
      `The broker answered ${response.status} to ${method} ${url}${said ? `: ${said}` : '.'}`,
    );
  }
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Resource;
    }
  } catch {
    // The same sentence as for JSON that is no resource.
  }
  throw new Problem(`The broker answered ${method} ${url} with something that is no HAL resource.`);
};

const expand = (href: string, values: Readonly<Record<string, string>>): string =>
  href.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
