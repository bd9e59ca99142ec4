import { ROLE_NAMES } from '@muster/contract';
import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

const word = z.string().optional().catch(undefined);

export const PeopleSearch = z.object({
  ...tableSearchFields,
  /** Contained in the name or the e-mail address. */
  name: word,
  role: z.enum(ROLE_NAMES).optional().catch(undefined),
  state: z.enum(['active', 'disabled', 'invited']).optional().catch(undefined),
  /** The person or the invitation whose details are open. */
  person: word,
});
