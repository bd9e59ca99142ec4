// The pages that are asked for, each with the version that its first row has to be.

import type { BenchContext } from '../benchmarks/bench-context.ts';
import { signToken, uuidOf } from '../requests/identities.ts';
import type { HistorySize } from './history-data.ts';
import { itemBefore, newestOf, newestOfWord, RARE_WORDS, SANDBOX_ID } from './history-data.ts';

export const PAGES = ['first', 'deep', 'item', 'name'] as const;
export type PageName = (typeof PAGES)[number];

/** A page to ask for, and the place in the sandbox of the version that its first row has to be. */
export type Page = { path: string; firstSeq: number };

export const PAGE_SIZE = 50;

/** Not one page but many, where there are several. */
const VARIETY = 100;

const several = <Value>(make: (index: number) => Value): Value[] =>
  Array.from({ length: VARIETY }, (_, index) => make(index));

/** Positions around the middle of the history, a few pages apart. */
export const deepPositions = ({ versions }: HistorySize): number[] =>
  several((index) => Math.floor(versions / 2) - index * 3);

/** Numbers of records that are Items, spread over all. */
const itemNumbers = ({ records }: HistorySize): number[] =>
  several((index) => {
    const record = 1 + Math.floor((index / VARIETY) * records);
    return record % 50 === 0 ? record - 1 : record;
  });

/** `cursors` are those of the deep positions. */
export const listPages = (
  size: HistorySize,
  cursors: readonly string[],
): Record<PageName, Page[]> => {
  const toPage = (filter: string, firstSeq: number): Page => ({
    path: `/v1/history/sandbox/${SANDBOX_ID}/item?page_size=${PAGE_SIZE}${filter}`,
    firstSeq,
  });
  return {
    first: [toPage('', itemBefore(size.versions + 1))],
    deep: deepPositions(size).map((position, index) =>
      toPage(`&cursor=${cursors[index]}`, itemBefore(position)),
    ),
    item: itemNumbers(size).map((record) =>
      toPage(`&item_ids=${uuidOf(`record:${record}`)}`, newestOf(size, record)),
    ),
    name: RARE_WORDS.map((word, index) => toPage(`&name=${word}`, newestOfWord(size, index))),
  };
};

export const signReaderToken = ({ secret, expiresAt }: BenchContext): string =>
  signToken({ sub: 'bench-reader', permissions: ['sandbox:config:view'] }, secret, expiresAt);
