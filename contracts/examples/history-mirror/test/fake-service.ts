// A service with one history that grows, and a network that can be made to break: enough to interrupt walks at will.
import type { Fetch, MusterClient } from '@muster/client';
import { createMusterClient } from '@muster/client';

export type FakeService = {
  muster: MusterClient;
  /** Writes this many versions; their ids count from `v1`. */
  write(count: number): void;
  /** Leaves every request after this number without a response; undefined: responds to all. */
  breakAfter(requests: number | undefined): void;
  /** Pages given so far. */
  pages(): number;
};

export const startFakeService = (): FakeService => {
  let newest = 0;
  let requestsLeft: number | undefined;
  let pages = 0;
  const fetch: Fetch = async (url) => {
    if (requestsLeft === 0) throw new TypeError('The network is down.');
    if (requestsLeft !== undefined) requestsLeft -= 1;
    pages += 1;
    return Response.json(listPage(new URL(String(url)).searchParams, newest));
  };
  return {
    muster: createMusterClient({ baseUrl: 'http://muster.test', fetch, retry: { budgetMs: 0 } }),
    write: (count) => {
      newest += count;
    },
    breakAfter: (requests) => {
      requestsLeft = requests;
    },
    pages: () => pages,
  };
};

/** The cursor is the number of the next version, from the newest to the oldest. */
const listPage = (query: URLSearchParams, newest: number) => {
  const size = Number(query.get('page_size'));
  const first = Number(query.get('cursor') ?? newest);
  const next = Math.max(0, first - size);
  const transactions = Array.from({ length: first - next }, (_, index) => ({
    version_id: `v${first - index}`,
    // Some libraries take this character for the end of a line.
    version_name: 'Iron\u2028Sword',
  }));
  return { transactions, page_meta: { ...(next > 0 && { cursor: String(next) }) } };
};
