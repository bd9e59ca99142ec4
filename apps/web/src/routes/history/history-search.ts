import { HistoryOperation } from '@muster/contract';
import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

const word = z.coerce.string().optional().catch(undefined);

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const HistorySearch = z.object({
  ...tableSearchFields,
  /** Absent: every version. `as-of`: the records as they were at the moment `at`. */
  view: z.literal('as-of').optional().catch(undefined),
  at: word,
  name: word,
  kind: z.enum(['item', 'xp']).optional().catch(undefined),
  operation: HistoryOperation.optional().catch(undefined),
  changed_field: word,
  account_id: word,
  transaction_id: word,
  from: word,
  to: word,
  /** The version that is open beside the list, by its id. */
  version: z.string().optional().catch(undefined),
});
