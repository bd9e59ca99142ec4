import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const ImportSearch = z.object({
  ...tableSearchFields,
  /** Absent: Items. */
  kind: z.literal('xp').optional().catch(undefined),
  /** Absent: a file. */
  from: z.literal('text').optional().catch(undefined),
  /** Absent: recognised by the name or the first character. */
  format: z.enum(['csv', 'ndjson']).optional().catch(undefined),
  /** `delete`: what the file lacks is deleted. */
  missing: z.literal('delete').optional().catch(undefined),
});
