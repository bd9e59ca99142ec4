import { z } from 'zod';
import { Item, Xp } from '../catalogue/catalogue-records.ts';
import { DateTime } from '../date-time.ts';

export const HistoryOperation = z.enum(['insert', 'update', 'delete', 'restore']).meta({
  id: 'HistoryOperation',
  description: 'restore: undelete, or return to an older version.',
});
export type HistoryOperation = z.infer<typeof HistoryOperation>;

const SNAPSHOT = 'The whole record at that version; for a delete, its last state.';

const transactionFields = {
  account_id: z.string().meta({ description: 'Who did it.' }),
  transaction_id: z.string().meta({ description: 'Groups what one edit changed together.' }),
  issued_at: DateTime.meta({ description: 'When it was done.' }),
  operation: HistoryOperation,
  version_id: z.string().meta({ description: 'Unique for each element.' }),
  version_name: z.string().optional().meta({ description: "The record's name at that version." }),
};

export const PageMeta = z
  .object({
    cursor: z.string().max(256).optional().meta({
      description: 'Continues the walk; absent on the last page.',
    }),
    page_size: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'The page size in effect.' }),
    total: z.int().min(0).optional().meta({
      description: 'Number of versions that match the filters, fixed at the first page of a walk.',
    }),
  })
  .meta({ id: 'PageMeta', description: 'Where the page stands in its walk.' });

export const ItemTransaction = z
  .object({ ...transactionFields, version: Item.optional().meta({ description: SNAPSHOT }) })
  .meta({ id: 'ItemTransaction', description: 'One version of one Item.' });

export const XpTransaction = z
  .object({ ...transactionFields, version: Xp.optional().meta({ description: SNAPSHOT }) })
  .meta({ id: 'XpTransaction', description: 'One version of one Xp table.' });

export const ItemHistory = z
  .object({ transactions: z.array(ItemTransaction), page_meta: PageMeta })
  .meta({ id: 'ItemHistory', description: 'A page of versions of Items.' });
export type ItemHistory = z.infer<typeof ItemHistory>;

export const XpHistory = z
  .object({ transactions: z.array(XpTransaction), page_meta: PageMeta })
  .meta({ id: 'XpHistory', description: 'A page of versions of Xp tables.' });
export type XpHistory = z.infer<typeof XpHistory>;
