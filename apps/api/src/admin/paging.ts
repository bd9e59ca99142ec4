import { text } from '@muster/contract';
import { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';

/** The inputs that every paged query of the admin API shares. */
export const pageInput = {
  cursor: text(1, 512).optional(),
  page_size: z.int().min(1).max(200).default(50),
};

/** An opaque cursor of a paged admin query: the JSON of a position, base64url. */
export const encodeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** What a page says of itself; without a cursor it is the last one. */
export const toPageMeta = (
  pageSize: number,
  cursor: string | null,
): { page_size: number; cursor?: string } => ({
  page_size: pageSize,
  ...(cursor !== null && { cursor }),
});

/** Counting stops here: beyond it nobody needs the exact number, and it would cost as much as reading the list. */
export const MAX_COUNTED = 10_000;

/** How many rows match; at least so many where it is not exact. */
export const toCountView = ({ count, isExact }: { count: number; isExact: boolean }) => ({
  count,
  is_exact: isExact,
});

/** A moment in a cursor: the years 1 to 9999, which every part of the service can hold; PostgreSQL begins later than Date. */
export const Milliseconds = z
  .int()
  .min(Date.parse('0001-01-01T00:00:00Z'))
  .max(Date.parse('9999-12-31T23:59:59.999Z'));

/** Reads a cursor by the schema of its position. Errors: `input_invalid`. */
export const decodeCursor = <Position>(
  cursor: string | undefined,
  schema: z.ZodType<Position>,
): Position | null => {
  if (cursor === undefined) return null;
  const parsed = schema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (parsed.success) return parsed.data;
  throw new ServiceError('input_invalid', { desc: 'The cursor is not one that this query gave.' });
};

const parseJson = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};
