import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const PlayerSearch = z.object(tableSearchFields);
