// One budget for the bytes that clients make the service hold: bodies that arrive, and responses that are not read. Half of it is reserved
// for bodies, so that slow readers cannot keep joins away.
import type { Socket } from 'node:net';
import { MIN_READ_BYTES_PER_SECOND, OTHER_BODIES_FRACTION, TIMES } from './limits.ts';

type MemoryBudgetOptions = {
  maxBytes: number;
  /** Milliseconds after which a reader that is too slow is disconnected. */
  readTimeoutMs: number;
  /** Called for each connection that was destroyed. */
  onSlowReader: () => void;
  /** Called for each body that has no room. */
  onBodyRefused: () => void;
};

/** What a connection has read, and since when: a monotonic clock in milliseconds. */
type Progress = { bytesRead: number; since: number };

export type BodyKind = 'join' | 'other';

export class MemoryBudget {
  readonly #options: MemoryBudgetOptions;
  readonly #progress = new WeakMap<Socket, Progress>();
  readonly #bodyBytes: Record<BodyKind, number> = { join: 0, other: 0 };
  #responseBytes = 0;

  constructor(options: MemoryBudgetOptions) {
    this.#options = options;
  }

  get bodyBytes(): number {
    return this.#bodyBytes.join + this.#bodyBytes.other;
  }

  get responseBytes(): number {
    return this.#responseBytes;
  }

  /** False when the budget is used up. Otherwise the caller releases the bytes. */
  reserveBody(kind: BodyKind, bytes: number): boolean {
    const { maxBytes, onBodyRefused } = this.#options;
    // Responses may exceed their half until the next `trim`.
    const left = maxBytes - this.bodyBytes - Math.min(this.#responseBytes, maxBytes / 2);
    const isOverFraction =
      kind === 'other' && this.#bodyBytes.other + bytes > maxBytes * OTHER_BODIES_FRACTION;
    if (bytes > left || isOverFraction) {
      onBodyRefused();
      return false;
    }
    this.#bodyBytes[kind] += bytes;
    return true;
  }

  releaseBody(kind: BodyKind, bytes: number): void {
    this.#bodyBytes[kind] -= bytes;
  }

  hasRoomForResponse(): boolean {
    return this.#responseBytes < this.#options.maxBytes / 2;
  }

  /** Counts what a response leaves in memory. The next `trim` measures it anew. */
  addResponse(bytes: number): void {
    this.#responseBytes += bytes;
  }

  /** Measures what all connections hold. Destroys those that are read too slowly, and the slowest while all hold too much. */
  trim(sockets: Iterable<Socket>, now: number): void {
    const readers: (Progress & { socket: Socket; bytes: number })[] = [];
    let total = 0;
    for (const socket of sockets) {
      const bytes = socket.writableLength;
      if (bytes === 0) this.#progress.delete(socket);
      else if (!this.#isTooSlow(socket, bytes, now)) {
        total += bytes;
        const { bytesRead = 0, since = now } = this.#progress.get(socket) ?? {};
        readers.push({ socket, bytes, bytesRead: readOf(socket) - bytesRead, since });
      }
    }
    const most = this.#options.maxBytes / 2;
    if (total > most) {
      readers.sort((a, b) => rateOf(a, now) - rateOf(b, now));
      for (const { socket, bytes, since } of readers) {
        if (total <= most) break;
        if (now - since < TIMES.slowestReader) continue;
        this.#disconnect(socket);
        total -= bytes;
      }
    }
    this.#responseBytes = total;
  }

  /** A reader is measured over the whole timeout, and then anew. Disconnects one that is too slow. */
  #isTooSlow(socket: Socket, bytes: number, now: number): boolean {
    const { readTimeoutMs } = this.#options;
    const known = this.#progress.get(socket);
    if (known && now - known.since < readTimeoutMs) return false;
    const needed = Math.min(bytes, (MIN_READ_BYTES_PER_SECOND * readTimeoutMs) / 1_000);
    if (known && readOf(socket) - known.bytesRead < needed) {
      this.#disconnect(socket);
      return true;
    }
    this.#progress.set(socket, { bytesRead: readOf(socket), since: now });
    return false;
  }

  #disconnect(socket: Socket): void {
    this.#progress.delete(socket);
    this.#options.onSlowReader();
    socket.destroy();
  }
}

/** Bytes that the system has taken from the process, which the client may have read. */
const readOf = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;

const rateOf = ({ bytesRead, since }: Progress, now: number): number =>
  bytesRead / Math.max(1, now - since);
