import { ItemType } from '@muster/contract';

const WORDS: Record<ItemType, string> = {
  unit: 'Unit',
  recipe: 'Recipe',
  recipe_with_price_reduction: 'Recipe with price reduction',
  entitlement: 'Entitlement',
};

export const nameItemType = (type: ItemType): string => WORDS[type];

export const ITEM_TYPES = ItemType.options.map((value) => ({ value, label: WORDS[value] }));
