// The memory for bodies that are larger than usual. What a request announces counts, once its caller is known up to what that caller may send; of a body
// without a length counts what has come, so that nobody keeps the memory from others by bodies that do not come.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestKind } from './active-requests.ts';
import { findActiveRequest } from './active-requests.ts';

/** The number of requests bounds bodies up to this size. */
const SMALL_BYTES = 16_384;
/** The largest body that is kept in memory whole. */
const LARGEST_BYTES = 8 * 1_048_576;

/** How much of the memory for bodies a request may need, by its headers alone. That of a history is never read. */
export const expectBodyBytes = (kind: RequestKind, { headers }: IncomingMessage): number => {
  const bytes = kind === 'history' ? 0 : Number(headers['content-length'] ?? 0);
  return bytes > SMALL_BYTES ? Math.min(bytes, LARGEST_BYTES) : 0;
};

/** What those who read a body tell of it. */
export type BodyRoom = Pick<BodyMemory, 'bound' | 'hold'>;

export class BodyMemory {
  readonly #maxBytes: number;
  readonly #onFull: (kind: RequestKind) => void;
  #bytes = 0;

  /** `onFull` is called for each body that has no room on its way. */
  constructor(maxBytes: number, onFull: (kind: RequestKind) => void) {
    this.#maxBytes = maxBytes;
    this.#onFull = onFull;
  }

  get bytes(): number {
    return this.#bytes;
  }

  hasRoom(bytes: number): boolean {
    return bytes <= 0 || this.#bytes + bytes <= this.#maxBytes;
  }

  take(bytes: number): void {
    this.#bytes += bytes;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }

  /** The caller of this request may send so much, whatever it announces. */
  bound(response: ServerResponse, bytes: number): void {
    const active = findActiveRequest(response);
    if (!active) return;
    const excess = active.bodyBytes - (bytes > SMALL_BYTES ? bytes : 0);
    if (excess <= 0) return;
    this.giveBack(excess);
    active.bodyBytes -= excess;
  }

  /** So much of its body has come. False where it had not announced that, and there is no room. */
  hold(response: ServerResponse, bytes: number): boolean {
    const active = findActiveRequest(response);
    const more = active ? (bytes > SMALL_BYTES ? bytes : 0) - active.bodyBytes : 0;
    if (!active || more <= 0) return true;
    if (!this.hasRoom(more)) {
      this.#onFull(active.kind);
      return false;
    }
    this.take(more);
    active.bodyBytes += more;
    return true;
  }
}
