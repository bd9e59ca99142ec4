// The memory for bodies that are larger than usual. What a request announces counts, once its caller is known up to what that caller may send; of a body
// without a length counts what has come, so that nobody keeps the memory from others by bodies that do not come.
import type { IncomingMessage } from 'node:http';
import type { ActiveRequest, RequestKind } from './active-requests.ts';

/** The number of requests bounds bodies up to this size. */
const SMALL_BYTES = 16_384;
/** The largest body that is kept in memory whole. */
const LARGEST_BYTES = 8 * 1_048_576;

/** How much of the memory for bodies a request may need, by its headers alone. That of a history is never read. */
export const expectBodyBytes = (kind: RequestKind, { headers }: IncomingMessage): number => {
  const bytes = kind === 'history' ? 0 : Number(headers['content-length'] ?? 0);
  return bytes > SMALL_BYTES ? Math.min(bytes, LARGEST_BYTES) : 0;
};

export class BodyMemory {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
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
  bound(active: ActiveRequest, bytes: number): void {
    const excess = active.bodyBytes - (bytes > SMALL_BYTES ? bytes : 0);
    if (excess <= 0) return;
    this.giveBack(excess);
    active.bodyBytes -= excess;
  }

  /** So much of its body has come. False where it had not announced that, and there is no room. */
  hold(active: ActiveRequest, bytes: number): boolean {
    const more = (bytes > SMALL_BYTES ? bytes : 0) - active.bodyBytes;
    if (more <= 0) return true;
    if (!this.hasRoom(more)) return false;
    this.take(more);
    active.bodyBytes += more;
    return true;
  }
}
