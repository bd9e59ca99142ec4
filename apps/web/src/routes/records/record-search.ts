import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const RecordSearch = z.object({
  ...tableSearchFields,
  /** Absent: the form. */
  tab: z.enum(['json', 'history']).optional().catch(undefined),
  /** The version that is open beside the history, by its id. */
  version: z.string().optional().catch(undefined),
});
