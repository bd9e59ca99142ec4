// What a table keeps in the address. Spread into the search schema of every route that shows one.
import { z } from 'zod';

const word = z.string().optional().catch(undefined);

export const tableSearchFields = {
  /** The shown columns by id, separated by commas; absent: the default ones. */
  cols: word,
  /** A column's id, with a minus in front for descending. */
  sort: word,
  /** The ids of the selected rows, separated by commas. */
  sel: word,
};

export const readList = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(',').filter((part) => part !== '') : [];

export const writeList = (parts: readonly string[]): string | undefined =>
  parts.length > 0 ? parts.join(',') : undefined;
