// The pages that are asked for: the same questions to every variant, in its own spelling.

import type { BenchContext } from '../benchmarks/bench-context.ts';
import { signToken, uuidOf } from '../requests/identities.ts';
import type { HistorySize } from './history-data.ts';
import {
  itemAfterSkipping,
  itemBefore,
  newestOf,
  newestOfWord,
  RARE_WORDS,
  SANDBOX_ID,
} from './history-data.ts';

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

/** How many of the versions before a position are Items: what a page by offset has to skip to get there. */
const itemsAfter = ({ versions }: HistorySize, position: number): number =>
  Math.floor((versions - position) * 0.98);

type Spelling = {
  path: string;
  page: string;
  deep: readonly { where: string; firstSeq: number }[];
  item: (id: string) => string;
  name: (word: string) => string;
};

const spell = (size: HistorySize, { path, page, deep, item, name }: Spelling) => {
  const toPage = (where: string, firstSeq: number): Page => ({
    path: `${path}?${page}&${where}`,
    firstSeq,
  });
  return {
    first: [{ path: `${path}?${page}`, firstSeq: itemAfterSkipping(size, 0) }],
    deep: deep.map(({ where, firstSeq }) => toPage(where, firstSeq)),
    item: itemNumbers(size).map((record) =>
      toPage(item(uuidOf(`record:${record}`)), newestOf(size, record)),
    ),
    name: RARE_WORDS.map((word, index) => toPage(name(word), newestOfWord(size, index))),
  } satisfies Record<PageName, Page[]>;
};

const OURS = {
  path: `/v1/history/sandbox/${SANDBOX_ID}/item`,
  item: (id: string) => `item_ids=${id}`,
  name: (word: string) => `name=${word}`,
};

/** `cursors` are those of the deep positions. */
export const spellForMuster = (size: HistorySize, cursors: readonly string[]) =>
  spell(size, {
    ...OURS,
    page: `page_size=${PAGE_SIZE}`,
    deep: deepPositions(size).map((position, index) => ({
      where: `cursor=${cursors[index]}`,
      firstSeq: itemBefore(position),
    })),
  });

export const spellForOffset = (size: HistorySize) =>
  spell(size, {
    ...OURS,
    page: `take=${PAGE_SIZE}`,
    deep: deepPositions(size).map((position) => {
      const skip = itemsAfter(size, position);
      return { where: `skip=${skip}`, firstSeq: itemAfterSkipping(size, skip) };
    }),
  });

export const spellForPayload = (size: HistorySize) =>
  spell(size, {
    path: '/api/items/versions',
    page: `limit=${PAGE_SIZE}&depth=0&sort=-createdAt`,
    deep: deepPositions(size).map((position) => {
      const before = Math.floor(itemsAfter(size, position) / PAGE_SIZE);
      return {
        where: `page=${1 + before}`,
        firstSeq: itemAfterSkipping(size, before * PAGE_SIZE),
      };
    }),
    item: (id) => `where[parent][equals]=${id}`,
    name: (word) => `where[version.name][contains]=${word}`,
  });

// What the pages of a history must say, asked once before anything is measured.

export const signReaderToken = ({ secret, expiresAt }: BenchContext): string =>
  signToken({ sub: 'bench-reader', permissions: ['sandbox:config:view'] }, secret, expiresAt);
