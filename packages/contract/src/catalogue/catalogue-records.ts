// Items and Xp tables: what the histories keep versions of.
import { z } from 'zod';
import { boundedList } from '../bounded-list.ts';
import { customIssue, Integer, newName, StringMap, text, Uuid } from '../strings.ts';

export const ItemType = z
  .enum(['unit', 'recipe', 'recipe_with_price_reduction', 'entitlement'])
  .meta({ id: 'ItemType', description: 'The kind of an Item.' });
export type ItemType = z.infer<typeof ItemType>;

const MAX_THRESHOLDS = 1000;
const MAX_TAGS = 100;

/** Names are shown in lists and searched; 256 characters hold any that people read. */
const MAX_NAME_LENGTH = 256;
const RecordName = text(1, MAX_NAME_LENGTH);
/** The name of a new or renamed record or sandbox. */
export const NewRecordName = newName(MAX_NAME_LENGTH);
const Description = text(0, 4096);

export const XpThreshold = z
  .object({ level: Integer, xp: Integer })
  .meta({ id: 'XpThreshold', description: 'The experience that a level begins at.' });

const XpThresholds = boundedList(XpThreshold, { max: MAX_THRESHOLDS }).check(
  ({ value, issues }) => {
    for (const [index, threshold] of value.entries()) {
      const previous = value[index - 1];
      if (!previous) continue;
      for (const field of ['level', 'xp'] as const) {
        if (threshold[field] > previous[field]) continue;
        const type = 'value_error.not_increasing';
        const before = previous[field].toLocaleString('en');
        const message = `Must be greater than the level before (${before})`;
        issues.push(customIssue(threshold[field], type, message, [index, field]));
      }
    }
  },
);

/** The editable fields of a stored Item. */
export const itemFields = {
  legacy_item_id: Integer.optional().meta({ description: 'Id in an older catalogue.' }),
  name: RecordName,
  description: Description.optional(),
  item_type: ItemType,
  tags: boundedList(text(1, 128), { max: MAX_TAGS }).default([]),
  level_xp_table_id: Uuid.optional().meta({ description: 'The Xp table that levels this Item.' }),
  custom_data: StringMap.default({}),
};

/** The editable fields of a stored Xp table. */
export const xpFields = {
  legacy_xp_id: Integer.optional().meta({ description: 'Id in an older catalogue.' }),
  name: RecordName,
  description: Description.optional(),
  xp_thresholds: XpThresholds.meta({ description: 'Strictly increasing in level and in xp.' }),
  custom_data: StringMap.default({}),
};

/** The fields as a caller sends them. A stored name may be older than the rules for new ones. */
export const itemInputs = { ...itemFields, name: NewRecordName };
export const xpInputs = { ...xpFields, name: NewRecordName };

export const Item = z
  .object({ item_id: Uuid, ...itemFields })
  .meta({ id: 'Item', description: 'A whole Item as it was at one version.' });
export type Item = z.infer<typeof Item>;

export const Xp = z
  .object({ xp_id: Uuid, ...xpFields })
  .meta({ id: 'Xp', description: 'A whole Xp table as it was at one version.' });
export type Xp = z.infer<typeof Xp>;
