import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

const word = z.coerce.string().optional().catch(undefined);

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const SessionTypesSearch = z.object({
  ...tableSearchFields,
  /** The type whose form is open. */
  edit: word,
  /** The form of a new type is open. */
  create: z.literal('yes').optional().catch(undefined),
});
