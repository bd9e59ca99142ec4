import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const CompareSandboxesSearch = z.object({
  ...tableSearchFields,
  /** The sandbox that records would come from, by its id. */
  source: z.uuid().optional().catch(undefined),
  /** Absent: Items. */
  kind: z.literal('xp').optional().catch(undefined),
  status: z.enum(['only_source', 'only_target', 'different']).optional().catch(undefined),
  /** The record whose fields are shown beside the list. */
  record: z.string().optional().catch(undefined),
  /** `promote`: what promoting the selected records would do, instead of the list. */
  step: z.literal('promote').optional().catch(undefined),
});
