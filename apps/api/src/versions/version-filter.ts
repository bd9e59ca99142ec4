import { DateTimeInput, HistoryOperation, text, Uuid } from '@muster/contract';
import { z } from 'zod';

/** Every field that a version can change: each has its index. */
const ChangedField = z.enum([
  'legacy_item_id',
  'legacy_xp_id',
  'name',
  'description',
  'item_type',
  'tags',
  'level_xp_table_id',
  'xp_thresholds',
  'custom_data',
]);

/** The filters of versions.list; they combine with AND. */
export const VersionFilterInput = z.object({
  kind: z.enum(['item', 'xp']).optional(),
  record_id: Uuid.optional(),
  account_id: text(1, 256).optional(),
  operation: HistoryOperation.optional(),
  transaction_id: Uuid.optional(),
  name: text(0, 256)
    .optional()
    .meta({ description: 'Contained in any name that the record has had, case-insensitive.' }),
  changed_field: ChangedField.optional(),
  from: DateTimeInput.optional(),
  to: DateTimeInput.optional().meta({ description: 'Not included.' }),
});
export type VersionFilter = z.output<typeof VersionFilterInput>;
