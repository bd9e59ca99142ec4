import { NetworkError, TimeoutError } from '../errors/errors.ts';
import { abortable } from './abortable.ts';
import { startDeadline } from './deadline.ts';

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export type Request = {
  url: string;
  method: 'GET' | 'POST';
  headers: Headers;
  /** JSON text. */
  body?: string;
};

export type Answer = { status: number; headers: Headers; text: string };

export type ExchangeLimits = { timeoutMs: number; signal: AbortSignal | undefined };

/**
 * One request and its whole answer.
 * Rejects with TimeoutError, NetworkError, or the reason of the caller's signal.
 */
export const exchange = async (
  fetch: Fetch,
  { url, ...init }: Request,
  { timeoutMs, signal }: ExchangeLimits,
): Promise<Answer> => {
  signal?.throwIfAborted();
  const deadline = startDeadline(timeoutMs, signal);
  try {
    // A custom `fetch` may ignore its signal; the race gives up on it all the same.
    const response = await abortable(
      fetch(url, { ...init, signal: deadline.signal }),
      deadline.signal,
    );
    const text = await abortable(response.text(), deadline.signal);
    return { status: response.status, headers: response.headers, text };
  } catch (cause) {
    signal?.throwIfAborted();
    throw deadline.isOver() ? new TimeoutError(timeoutMs) : new NetworkError(cause);
  } finally {
    deadline.end();
  }
};
