import { itemFields, Uuid } from '@muster/contract';
import { recordInputs } from './record-inputs.ts';

/** Written out, since zod applies a default inside an optional field: a patch would empty what it does not name. */
const itemPatch = {
  legacy_item_id: itemFields.legacy_item_id.nullable(),
  name: itemFields.name.optional(),
  description: itemFields.description.nullable(),
  item_type: itemFields.item_type.optional(),
  tags: itemFields.tags.unwrap().optional(),
  level_xp_table_id: itemFields.level_xp_table_id.nullable(),
  custom_data: itemFields.custom_data.unwrap().optional(),
};

export const ItemInputs = recordInputs({ item_id: Uuid }, itemFields, itemPatch);
