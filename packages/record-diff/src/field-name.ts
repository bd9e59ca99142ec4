// What people call the fields of records: in forms, histories, differences and filters alike.

const NAMES: Readonly<Record<string, string>> = {
  item_type: 'Item type',
  level_xp_table_id: 'Levels by Xp table',
  xp_thresholds: 'Levels',
  custom_data: 'Custom data',
  legacy_item_id: 'Legacy id',
  legacy_xp_id: 'Legacy id',
};

/** "Item type" for `item_type`. A field that has no name of its own is called by its words. */
export const nameField = (field: string): string => {
  const words = field.replaceAll('_', ' ');
  return NAMES[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
};
