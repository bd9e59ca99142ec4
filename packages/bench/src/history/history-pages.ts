// The pages that are asked for: the same questions to every variant, in its own spelling.
import { uuidOf } from '../requests/identities.ts';
import type { HistorySize } from './history-data.ts';
import { RARE_WORDS, SANDBOX_ID } from './history-data.ts';

export const PAGES = ['first', 'deep', 'item', 'name'] as const;
export type PageName = (typeof PAGES)[number];

const PAGE_SIZE = 50;

/** Not one page but many, where there are several. */
const VARIETY = 100;

const several = <Value>(make: (index: number) => Value): Value[] =>
  Array.from({ length: VARIETY }, (_, index) => make(index));

/** Positions around the middle of the history, a few pages apart. */
export const deepPositions = ({ versions }: HistorySize): number[] =>
  several((index) => Math.floor(versions / 2) - index * 3);

/** Records that are Items, spread over all. */
const itemIds = ({ records }: HistorySize): string[] =>
  several((index) => {
    const record = 1 + Math.floor((index / VARIETY) * records);
    return uuidOf(`record:${record % 50 === 0 ? record - 1 : record}`);
  });

/** How many of the versions before a position are Items: what a page by offset has to skip to get there. */
const itemsAfter = ({ versions }: HistorySize, position: number): number =>
  Math.floor((versions - position) * 0.98);

type Spelling = {
  path: string;
  page: string;
  deep: readonly string[];
  item: (id: string) => string;
  name: (word: string) => string;
};

const spell = (size: HistorySize, { path, page, deep, item, name }: Spelling) =>
  ({
    first: [`${path}?${page}`],
    deep: deep.map((where) => `${path}?${page}&${where}`),
    item: itemIds(size).map((id) => `${path}?${page}&${item(id)}`),
    name: RARE_WORDS.map((word) => `${path}?${page}&${name(word)}`),
  }) satisfies Record<PageName, string[]>;

const PATH = `/v1/history/sandbox/${SANDBOX_ID}/item`;

/** `cursors` are those of the deep positions. */
export const spellForMuster = (size: HistorySize, cursors: readonly string[]) =>
  spell(size, {
    path: PATH,
    page: `page_size=${PAGE_SIZE}`,
    deep: cursors.map((cursor) => `cursor=${cursor}`),
    item: (id) => `item_ids=${id}`,
    name: (word) => `name=${word}`,
  });

export const spellForOffset = (size: HistorySize) =>
  spell(size, {
    path: PATH,
    page: `take=${PAGE_SIZE}`,
    deep: deepPositions(size).map((position) => `skip=${itemsAfter(size, position)}`),
    item: (id) => `item_ids=${id}`,
    name: (word) => `name=${word}`,
  });

export const spellForPayload = (size: HistorySize) =>
  spell(size, {
    path: '/api/items/versions',
    page: `limit=${PAGE_SIZE}&depth=0&sort=-createdAt`,
    deep: deepPositions(size).map(
      (position) => `page=${1 + Math.floor(itemsAfter(size, position) / PAGE_SIZE)}`,
    ),
    item: (id) => `where[parent][equals]=${id}`,
    name: (word) => `where[version.name][contains]=${word}`,
  });

export const writeGet = (path: string, token: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;
