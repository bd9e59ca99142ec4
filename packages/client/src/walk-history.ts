import { UnexpectedAnswerError } from './errors/errors.ts';
import type { HistoryPage } from './list-history.ts';

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
  do {
    const page = await fetchPage(cursor);
    yield page;
    cursor = page.page_meta.cursor;
    // Something that caches answers in between could otherwise keep a walk in a circle for ever.
    if (cursor !== undefined && seen.has(cursor)) {
      throw new UnexpectedAnswerError('The cursor of a page came a second time.', page);
    }
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
}
