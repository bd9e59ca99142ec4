import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

const word = z.string().optional().catch(undefined);
const moment = z.iso.datetime({ offset: true }).optional().catch(undefined);
const id = z.guid().optional().catch(undefined);

export const AuditSearch = z.object({
  ...tableSearchFields,
  account: word,
  action: word,
  /** Part of the id of what was changed. */
  target: z.coerce.string().optional().catch(undefined),
  in: id,
  from: moment,
  to: moment,
  /** The record that is open. */
  record: id,
});
