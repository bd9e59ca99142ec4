// The fields of a record as columns of a file: their names, their order, and how a cell spells each.
import type { RecordKind } from '../catalogue/index.ts';
import { ITEM, XP } from '../catalogue/index.ts';

/**
 * - `text`: written by people; absent is an empty cell. See csv-cells.ts for what spreadsheets would run.
 * - `plain`: ids and enumerations.
 * - `integer`: decimal digits.
 * - `json`: lists and maps, as JSON.
 */
export type ColumnType = 'text' | 'plain' | 'integer' | 'json';

const TYPES: Record<string, ColumnType> = {
  name: 'text',
  description: 'text',
  legacy_item_id: 'integer',
  legacy_xp_id: 'integer',
  tags: 'json',
  custom_data: 'json',
  xp_thresholds: 'json',
};

export type Column = { name: string; type: ColumnType };

export const kindOf = (kind: 'item' | 'xp'): RecordKind => (kind === 'item' ? ITEM : XP);

/** The id, then the fields in the order of the snapshot. */
export const recordColumns = (kind: RecordKind): Column[] =>
  [kind.idField, ...kind.fields].map((name) => ({ name, type: TYPES[name] ?? 'plain' }));

/** What an export of versions has before the record. */
export const VERSION_COLUMNS: readonly Column[] = [
  { name: 'seq', type: 'integer' },
  { name: 'version_id', type: 'plain' },
  { name: 'transaction_id', type: 'plain' },
  { name: 'operation', type: 'plain' },
  { name: 'version', type: 'integer' },
  { name: 'account_id', type: 'text' },
  { name: 'reason', type: 'text' },
  { name: 'issued_at', type: 'plain' },
  { name: 'changed_fields', type: 'json' },
];
