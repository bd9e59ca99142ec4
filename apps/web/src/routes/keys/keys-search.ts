import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

const word = z.string().optional().catch(undefined);

export const KeysSearch = z.object({
  ...tableSearchFields,
  /** Contained in the name of the key or of its service account, or the beginning of the key. */
  name: word,
  state: z.enum(['active', 'ended']).optional().catch(undefined),
  /** The key, or the service account without one, whose details are open. */
  key: word,
});
