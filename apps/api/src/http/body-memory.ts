// The memory for bodies that are larger than usual: what requests announce counts until their callers are known, and what they have after that.
import type { IncomingMessage } from 'node:http';
import type { ActiveRequest } from './active-requests.ts';

/** The number of requests bounds bodies up to this size. */
const SMALL_BYTES = 16_384;
/** The largest body that is kept in memory whole. */
const LARGEST_BYTES = 8 * 1_048_576;
/** A body without a length may become the largest that players may send. */
const UNKNOWN_BYTES = 1_048_576;

/** How much of the memory for bodies a request may need, by its headers alone. */
export const expectBodyBytes = ({ headers }: IncomingMessage): number => {
  const length = headers['content-length'];
  if (length === undefined) return headers['transfer-encoding'] === undefined ? 0 : UNKNOWN_BYTES;
  const bytes = Number(length);
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

  /**
   * The caller of this request may send so much, or has sent it, whatever the request announces. False where it announces nothing, and
   * there is no room for so much.
   */
  bound(active: ActiveRequest, bytes: number): boolean {
    if (active.bodyBytes === 0) return true;
    const isAnnounced = active.request.headers['content-length'] !== undefined;
    const bounded = isAnnounced ? Math.min(active.bodyBytes, bytes) : bytes;
    const more = (bounded > SMALL_BYTES ? bounded : 0) - active.bodyBytes;
    if (!this.hasRoom(more)) return false;
    this.take(more);
    active.bodyBytes += more;
    return true;
  }
}
