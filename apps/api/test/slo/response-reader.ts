// Reads the responses of one connection, also of pipelined requests, with little work per response: bodies are skipped.

export type RawResponse = { status: number; hasRetryAfter: boolean };

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_FEED = 10;

export class ResponseReader {
  readonly #onResponse: (response: RawResponse) => void;
  #response: RawResponse | null = null;
  /** The start of a head, or of the line before a chunk, whose end has not arrived. */
  #pending: Buffer = Buffer.alloc(0);
  /** Bytes of the body, or of the current chunk and its line end, that have not arrived. */
  #remaining = 0;
  #isChunked = false;
  #isLastChunk = false;

  /** `onResponse` is called when the whole response has arrived. */
  constructor(onResponse: (response: RawResponse) => void) {
    this.#onResponse = onResponse;
  }

  /** `chunk` may be overwritten after the call. */
  read(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#remaining > 0) at = this.#skipBody(chunk, at);
      else if (this.#response === null) at = this.#readHead(chunk, at);
      else at = this.#readChunkLine(chunk, at);
    }
  }

  #skipBody(chunk: Buffer, at: number): number {
    const skipped = Math.min(this.#remaining, chunk.length - at);
    this.#remaining -= skipped;
    if (this.#remaining === 0 && !this.#isChunked) this.#finish();
    return at + skipped;
  }

  #readHead(chunk: Buffer, at: number): number {
    const pendingLength = this.#pending.length;
    const bytes = this.#joinPending(chunk, at);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return this.#keep(bytes, chunk);
    const head = bytes.toString('latin1', 0, end).toLowerCase();
    const status = Number(head.slice(9, 12));
    const next = at + end + HEAD_END.length - pendingLength;
    // An interim response comes before the final one.
    if (status < 200) return next;
    this.#response = { status, hasRetryAfter: head.includes('\r\nretry-after:') };
    this.#isChunked = head.includes('\r\ntransfer-encoding: chunked');
    this.#isLastChunk = false;
    const [, length] = /\r\ncontent-length: *(\d+)/.exec(head) ?? [];
    this.#remaining = this.#isChunked ? 0 : Number(length ?? 0);
    if (this.#remaining === 0 && !this.#isChunked) this.#finish();
    return next;
  }

  /** The length of a chunk, or a line behind the last chunk. */
  #readChunkLine(chunk: Buffer, at: number): number {
    const pendingLength = this.#pending.length;
    const bytes = this.#joinPending(chunk, at);
    const end = bytes.indexOf(LINE_FEED);
    if (end < 0) return this.#keep(bytes, chunk);
    const line = bytes.toString('latin1', 0, end).trim();
    if (this.#isLastChunk) {
      if (line === '') this.#finish();
    } else {
      const length = Number.parseInt(line, 16);
      this.#isLastChunk = length === 0;
      this.#remaining = length === 0 ? 0 : length + 2;
    }
    return at + end + 1 - pendingLength;
  }

  #joinPending(chunk: Buffer, at: number): Buffer {
    const rest = chunk.subarray(at);
    if (this.#pending.length === 0) return rest;
    const joined = Buffer.concat([this.#pending, rest]);
    this.#pending = Buffer.alloc(0);
    return joined;
  }

  #keep(bytes: Buffer, chunk: Buffer): number {
    this.#pending = Buffer.from(bytes);
    return chunk.length;
  }

  #finish(): void {
    const response = this.#response;
    this.#response = null;
    if (response) this.#onResponse(response);
  }
}
