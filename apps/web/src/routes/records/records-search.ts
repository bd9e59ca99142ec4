import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const RecordsSearch = z.object({
  ...tableSearchFields,
  /** Contained in the name. */
  name: z.coerce.string().optional().catch(undefined),
  /** Deleted records too. */
  deleted: z.literal(true).optional().catch(undefined),
});
