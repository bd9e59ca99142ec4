import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const TrashSearch = z.object({
  ...tableSearchFields,
  /** Contained in the name. */
  name: z.coerce.string().optional().catch(undefined),
  /** Absent: Items. */
  kind: z.literal('xp').optional().catch(undefined),
});
