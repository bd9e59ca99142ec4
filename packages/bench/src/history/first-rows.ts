// Which version a page has to begin with: the newest one comes first. A version is named by its place in the sandbox, from 1 on.
import type { HistorySize } from './history-data.ts';
import { RECORDS_PER_RARE_WORD, VERSIONS_PER_RECORD } from './history-data.ts';

/** Every fiftieth version is one of an Xp table. */
const CYCLE = 50;

/** The newest version of an Item before this place. */
export const itemBefore = (seq: number): number => ((seq - 1) % CYCLE === 0 ? seq - 2 : seq - 1);

/** The newest version of an Item after that many newer ones. */
export const itemAfterSkipping = ({ versions }: HistorySize, skipped: number): number => {
  const cycles = Math.floor(skipped / (CYCLE - 1));
  return versions - cycles * CYCLE - (skipped % (CYCLE - 1)) - 1;
};

/** The newest version of one record, which is given by its number. */
export const newestOf = ({ records }: HistorySize, record: number): number =>
  (VERSIONS_PER_RECORD - 1) * records + record;

/** Of the records that hold the rare word `index`, the last was edited last. */
export const newestOfWord = (size: HistorySize, index: number): number =>
  newestOf(size, size.records - size.records / RECORDS_PER_RARE_WORD + index + 1);
