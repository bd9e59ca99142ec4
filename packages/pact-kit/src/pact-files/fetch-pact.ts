import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TIMEOUT_MS = 30_000;

export type Download = { text: string; path: string } | { problem: string };

/** Reads a pact from an http(s) URL and keeps a copy in `folder`, for the verifier. */
export const fetchPact = async (
  url: string,
  folder: string,
  headers: Readonly<Record<string, string>>,
): Promise<Download> => {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/hal+json, application/json', ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return { problem: `The server answered ${response.status} for this URL.` };
    const text = await response.text();
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `pact-${crypto.randomUUID()}.json`);
    writeFileSync(path, text);
    return { text, path };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { problem: `The URL could not be read: ${reasonOf(error)}.` };
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
