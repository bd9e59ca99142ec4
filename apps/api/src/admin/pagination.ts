// Pages of the admin API: their inputs, opaque cursors, and counts that stop at a limit.
import { text } from '@muster/contract';
import { z } from 'zod';
import { ServiceError } from '../platform/index.ts';

/** The inputs of every paged query of the admin API. */
export const pageInput = {
  cursor: text(1, 512).optional(),
  page_size: z.int().min(1).max(200).default(50),
};

/** An opaque cursor of a paged admin query: the JSON of a position, base64url. */
export const encodeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** Parses a cursor with the schema of its position. Errors: `input_invalid`. */
export const decodeCursor = <Position>(
  cursor: string | undefined,
  schema: z.ZodType<Position>,
): Position | null => {
  if (cursor === undefined) return null;
  const parsed = schema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (parsed.success) return parsed.data;
  throw new ServiceError('input_invalid', { desc: 'The cursor does not belong to this query.' });
};

const parseJson = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** A time in a cursor, within the years 1 to 9999, which both Date and PostgreSQL can represent. */
export const Milliseconds = z
  .int()
  .min(Date.parse('0001-01-01T00:00:00Z'))
  .max(Date.parse('9999-12-31T23:59:59.999Z'));

type PageMeta = {
  page_size: number;
  /** Absent on the last page. */
  cursor?: string;
};

export const toPageMeta = (pageSize: number, cursor: string | null | undefined): PageMeta => ({
  page_size: pageSize,
  ...(cursor != null && { cursor }),
});

/** The page meta of rows: the next page begins after the last row. */
export const toPageMetaOf = <Row>(
  pageSize: number,
  { rows, hasMore }: { rows: readonly Row[]; hasMore: boolean },
  positionOf: (row: Row) => unknown,
): PageMeta => {
  const last = hasMore ? rows.at(-1) : undefined;
  return toPageMeta(pageSize, last && encodeCursor(positionOf(last)));
};

/** Counting stops here: counting further would cost as much as reading the whole list. */
export const MAX_COUNTED = 10_000;

/** The number of matching rows; a lower bound unless it is exact. */
export const toCountView = ({ count, isExact }: { count: number; isExact: boolean }) => ({
  count,
  is_exact: isExact,
});
