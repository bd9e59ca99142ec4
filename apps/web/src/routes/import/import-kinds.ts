// How the two kinds of files are named and what they are made of.

export type ImportKind = 'item' | 'xp';
export type ImportFormat = 'csv' | 'ndjson';

type KindWords = {
  one: string;
  many: string;
  columns: readonly string[];
  list: '/s/$sandbox/items' | '/s/$sandbox/xp';
};

const SHARED = ['name', 'description'];

export const KINDS: Record<ImportKind, KindWords> = {
  item: {
    one: 'Item',
    many: 'Items',
    columns: [
      'item_id',
      'legacy_item_id',
      ...SHARED,
      'item_type',
      'tags',
      'level_xp_table_id',
      'custom_data',
    ],
    list: '/s/$sandbox/items',
  },
  xp: {
    one: 'Xp table',
    many: 'Xp tables',
    columns: ['xp_id', 'legacy_xp_id', ...SHARED, 'xp_thresholds', 'custom_data'],
    list: '/s/$sandbox/xp',
  },
};

export const FORMATS: Record<ImportFormat, string> = { csv: 'CSV', ndjson: 'NDJSON' };

const ENDINGS: [RegExp, ImportFormat][] = [
  [/\.(csv|tsv|txt)$/i, 'csv'],
  [/\.(ndjson|jsonl|json)$/i, 'ndjson'],
];

/** By the file's name, else by the first character: a line of NDJSON is an object. */
export const recogniseFormat = (name: string, beginning: string): ImportFormat => {
  const byName = ENDINGS.find(([ending]) => ending.test(name))?.[1];
  return byName ?? (/^\uFEFF?\s*[{[]/.test(beginning) ? 'ndjson' : 'csv');
};
