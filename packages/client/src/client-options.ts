import type { Connection } from './call-service.ts';
import type { TokenOption } from './credentials/token-provider.ts';
import { createTokenSource } from './credentials/token-source.ts';
import { readBaseUrl } from './http/build-url.ts';
import type { Fetch } from './http/exchange.ts';
import type { Clock } from './retry/clock.ts';
import type { RetryOptions } from './retry/retry-options.ts';

export type MusterClientOptions = {
  /** Where the service is, with the path that a gateway puts before it, if any. */
  baseUrl: string | URL;
  /** JWT or API key, or where to get one. Left out only where the histories are public. */
  token?: TokenOption | undefined;
  /** Used in place of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Sent with every request, such as trace headers. */
  headers?: Record<string, string> | undefined;
  /** The longest that one attempt may take, in milliseconds. Default 10,000. */
  timeoutMs?: number | undefined;
  retry?: RetryOptions | undefined;
};

const DEFAULT_TIMEOUT_MS = 10_000;

/** Throws TypeError when `baseUrl` is no http(s) URL or a header is not valid. */
export const connect = (options: MusterClientOptions, clock: Clock): Connection => ({
  baseUrl: readBaseUrl(options.baseUrl),
  // The global is looked up at each call: it may be replaced, and must not lose its `this`.
  fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  tokens: createTokenSource(options.token),
  headers: new Headers(options.headers),
  timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  retry: options.retry,
  clock,
});
