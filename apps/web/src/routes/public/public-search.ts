import { z } from 'zod';

const word = z.coerce.string().optional().catch(undefined);

/** What the address says besides the path: the request, but for the token. Anything else is left out. */
export const PublicSearch = z.object({
  /** Absent: Items. */
  kind: z.literal('xp').optional().catch(undefined),
  ids: word,
  legacy_ids: word,
  name: word,
  /** Absent: the newest first. */
  sort_order: z.literal('asc').optional().catch(undefined),
  page_size: word,
});
export type PublicSearch = z.infer<typeof PublicSearch>;
