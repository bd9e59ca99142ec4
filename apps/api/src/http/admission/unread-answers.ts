// Answers that are complete and that their clients have not read: bytes that the service holds for them. A client has
// half a minute and a second per 64 KiB; where all of them together hold too much, whoever has been reading longest is cut.
import type { ServerResponse } from 'node:http';
import type { Place } from '../../passing/index.ts';
import { PassingList } from '../../passing/index.ts';

export type UnreadAnswersOptions = {
  maxBytes: number;
  /** What each client has at least. */
  timeoutMs: number;
  /** Hears of each connection that was cut. */
  onCut: () => void;
};

const BYTES_PER_SECOND = 65_536;
/** So long even the slowest is left alone when room is needed: most networks have brought a page by then. */
const GRACE_MS = 2_000;

type Unread = { response: ServerResponse; bytes: number; since: number };

const UNREAD = Symbol('unread');
/** Its place is kept at the response. */
type Answered = ServerResponse & { [UNREAD]?: Place<Unread> };

export class UnreadAnswers {
  readonly #options: UnreadAnswersOptions;
  /** In the order in which they were completed. */
  readonly #answers = new PassingList<Unread>();
  #bytes = 0;

  constructor(options: UnreadAnswersOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get areTooMany(): boolean {
    return this.#bytes > this.#options.maxBytes;
  }

  /** An answer has been written; what the network has taken already is no longer ours. */
  add(response: ServerResponse, now: number): void {
    const bytes = response.socket?.writableLength ?? 0;
    if (bytes === 0) return;
    this.remove(response);
    (response as Answered)[UNREAD] = this.#answers.add({ response, bytes, since: now });
    this.#bytes += bytes;
  }

  /** Its connection has taken it, or has ended. */
  remove(response: ServerResponse): void {
    const place = (response as Answered)[UNREAD];
    if (place && this.#answers.remove(place)) this.#bytes -= place.value.bytes;
  }

  /** Ends the connections of those who are late, and of the slowest while there is too much. */
  cut(now: number): void {
    let excess = this.#bytes - this.#options.maxBytes;
    for (const { response, bytes, since } of this.#answers) {
      const waited = now - since;
      const isLate = waited > this.#options.timeoutMs + (bytes / BYTES_PER_SECOND) * 1_000;
      const isInTheWay = excess > 0 && waited > GRACE_MS;
      if (!isLate && !isInTheWay) continue;
      excess -= bytes;
      this.#options.onCut();
      response.socket?.destroy();
    }
  }
}
