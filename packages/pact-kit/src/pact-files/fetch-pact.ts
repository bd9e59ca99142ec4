import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitCredentials } from '../url-credentials.ts';

const TIMEOUT_MS = 30_000;

export type FetchOptions = {
  /** Where the copy goes. */
  folder: string;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
};

/** `source` is the URL without a password: reports name it. */
export type Download = { source: string } & ({ text: string; path: string } | { problem: string });

/** Reads a pact from an http(s) URL and keeps a copy, for the verifier. */
export const fetchPact = async (
  target: string,
  { folder, headers, signal }: FetchOptions,
): Promise<Download> => {
  const { url, headers: credentials } = splitCredentials(target);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/hal+json, application/json', ...credentials, ...headers },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { ok, status } = response;
    if (!ok) return { source: url, problem: `The server answered ${status} for this URL.` };
    const text = await response.text();
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `pact-${crypto.randomUUID()}.json`);
    writeFileSync(path, text);
    return { source: url, text, path };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    return { source: url, problem: `The URL could not be read: ${reasonOf(error)}.` };
  }
};

/** fetch hides what went wrong in the cause: a refused connection, an unknown host. */
const reasonOf = (error: Error): string => {
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  const { cause } = error;
  if (cause instanceof Error && cause.message !== '') return cause.message;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error.message;
};
