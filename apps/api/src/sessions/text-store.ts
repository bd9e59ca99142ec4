// Texts by key in one block of memory, cut into chunks that any text may use: however many come and go, they leave the garbage
// collector nothing to do, and never take more than the block. Whatever was used least recently makes room.
import { LRUCache } from 'lru-cache';

const CHUNK_BYTES = 256;
const NONE = -1;
/** Larger texts are put together in a block of their own, which is let go of. */
const MOST_WHOLE_BYTES = 1_048_576;
/** Of UTF-8, for each code unit of a string. */
const MOST_BYTES_PER_UNIT = 3;

type Kept = { firstChunk: number; bytes: number };

export class TextStore {
  readonly #block: Buffer;
  /** For each chunk the next one of its text, or the next free one. */
  readonly #next: Int32Array;
  #firstFree = 0;
  #free: number;
  readonly #kept: LRUCache<string, Kept>;
  /** One text in one piece, on its way in or out. */
  #whole = Buffer.alloc(16 * CHUNK_BYTES);

  /** Memory is taken as texts come, up to `bytes`. At most `maxTexts` are kept, however short they are. */
  constructor(bytes: number, maxTexts: number) {
    const chunks = Math.floor(bytes / CHUNK_BYTES);
    this.#block = Buffer.allocUnsafeSlow(chunks * CHUNK_BYTES);
    this.#next = Int32Array.from({ length: chunks }, (_, chunk) => chunk + 1);
    this.#next[chunks - 1] = NONE;
    this.#free = chunks;
    this.#kept = new LRUCache({
      max: maxTexts,
      dispose: ({ firstChunk, bytes: length }) => this.#release(firstChunk, countChunks(length)),
    });
  }

  get size(): number {
    return this.#kept.size;
  }

  /**
   * `text` is well-formed, as all JSON is that `JSON.stringify` writes, and not empty. False for one that is larger than the
   * block: it is not kept.
   */
  set(key: string, text: string): boolean {
    this.#kept.delete(key);
    if (text.length > this.#block.length) return false;
    const whole = this.#wholeOf(text.length * MOST_BYTES_PER_UNIT);
    const bytes = whole.write(text);
    const chunks = countChunks(bytes);
    if (chunks > this.#next.length) return false;
    while (this.#free < chunks) this.#kept.pop();
    this.#kept.set(key, { firstChunk: this.#scatter(whole, bytes, chunks), bytes });
    return true;
  }

  get(key: string): string | undefined {
    const kept = this.#kept.get(key);
    return kept && this.#gather(kept.firstChunk, kept.bytes);
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }

  /** From the one piece into chunks; answers the first of them. */
  #scatter(whole: Buffer, bytes: number, chunks: number): number {
    const firstChunk = this.#firstFree;
    let last = NONE;
    for (let from = 0; from < bytes; from += CHUNK_BYTES) {
      last = this.#firstFree;
      whole.copy(this.#block, last * CHUNK_BYTES, from, Math.min(from + CHUNK_BYTES, bytes));
      this.#firstFree = this.#next[last] ?? NONE;
    }
    this.#next[last] = NONE;
    this.#free -= chunks;
    return firstChunk;
  }

  #gather(firstChunk: number, bytes: number): string {
    const whole = this.#wholeOf(bytes + CHUNK_BYTES);
    let chunk = firstChunk;
    for (let at = 0; at < bytes; at += CHUNK_BYTES) {
      const from = chunk * CHUNK_BYTES;
      this.#block.copy(whole, at, from, from + CHUNK_BYTES);
      chunk = this.#next[chunk] ?? NONE;
    }
    return whole.toString('utf8', 0, bytes);
  }

  #release(firstChunk: number, chunks: number): void {
    let last = firstChunk;
    for (let left = chunks - 1; left > 0; left -= 1) last = this.#next[last] ?? NONE;
    this.#next[last] = this.#firstFree;
    this.#firstFree = firstChunk;
    this.#free += chunks;
  }

  #wholeOf(bytes: number): Buffer {
    if (bytes > MOST_WHOLE_BYTES) return Buffer.allocUnsafe(bytes);
    if (this.#whole.length < bytes) this.#whole = Buffer.alloc(bytes);
    return this.#whole;
  }
}

const countChunks = (bytes: number): number => Math.ceil(bytes / CHUNK_BYTES);
