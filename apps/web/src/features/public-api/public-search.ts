import { z } from 'zod';
import { textParam } from '../../ui/url-state.tsx';

/** The search parameters of the URL: the request without the token. Unknown parameters are dropped. */
export const PublicSearch = z.object({
  /** Absent: Items. */
  kind: z.literal('xp').optional().catch(undefined),
  ids: textParam,
  legacy_ids: textParam,
  name: textParam,
  /** Absent: newest first. */
  sort_order: z.literal('asc').optional().catch(undefined),
  page_size: textParam,
});
export type PublicSearch = z.infer<typeof PublicSearch>;
