import type { Connection, IsBody } from './call-service.ts';
import { callService, encodeQuery, encodeSegment } from './call-service.ts';
import { UnexpectedAnswerError } from './errors.ts';
import type { CallOptions, ItemHistoryRequest, XpHistoryRequest } from './requests.ts';
import { retryHistories } from './retries.ts';
import type { PageMeta } from './wire/history-types.ts';

/** One page of a history; `page_meta.cursor` is absent on the last. */
export type HistoryPage<Transaction> = {
  transactions: Transaction[];
  page_meta: PageMeta;
  requestId: string | null;
};

export const listHistory = async <Transaction>(
  connection: Connection,
  kind: 'item' | 'xp',
  { sandbox_id, ...query }: ItemHistoryRequest | XpHistoryRequest,
  options?: CallOptions,
): Promise<HistoryPage<Transaction>> => {
  const path = `/v1/history/sandbox/${encodeSegment('sandbox_id', sandbox_id)}/${kind}/`;
  const { body, requestId } = await callService<Omit<HistoryPage<Transaction>, 'requestId'>>(
    connection,
    {
      method: 'GET',
      target: path + encodeQuery(query),
      isAnswer: isPage,
      retryWhen: () => retryHistories,
    },
    options,
  );
  return { ...body, requestId };
};

const isPage: IsBody = ({ transactions, page_meta }) =>
  Array.isArray(transactions) && typeof page_meta === 'object' && page_meta !== null;

/** Iterate it for the transactions, or `pages()` for whole pages. Each iteration is a walk of its own. */
export type HistoryWalk<Transaction> = AsyncIterable<Transaction> & {
  pages(): AsyncGenerator<HistoryPage<Transaction>, void, undefined>;
};

/** Fetches the page that begins at a cursor; undefined is where the walk was asked to begin. */
type FetchPage<Transaction> = (cursor: string | undefined) => Promise<HistoryPage<Transaction>>;

/** A page is fetched when its first transaction is asked for, and no earlier. */
export const walkHistory = <Transaction>(
  fetchPage: FetchPage<Transaction>,
  signal: AbortSignal | undefined,
): HistoryWalk<Transaction> => ({
  pages: () => walkPages(fetchPage),
  async *[Symbol.asyncIterator]() {
    for await (const page of walkPages(fetchPage)) {
      for (const transaction of page.transactions) {
        signal?.throwIfAborted();
        yield transaction;
      }
    }
  },
});

async function* walkPages<Transaction>(fetchPage: FetchPage<Transaction>) {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const page: HistoryPage<Transaction> = await fetchPage(cursor);
    yield page;
    cursor = page.page_meta.cursor;
    if (cursor === undefined) return;
    // Something that caches answers in between could otherwise keep a walk in a circle for ever.
    if (seen.has(cursor)) {
      throw new UnexpectedAnswerError('The cursor of a page came a second time.', page);
    }
    seen.add(cursor);
  }
}
