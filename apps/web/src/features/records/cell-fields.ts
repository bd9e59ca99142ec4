// The columns of a list whose cells can be edited, and what an edit of a cell sends. Pure.
import { CUSTOM_FIELD } from '@muster/contract';
import { nameField } from '@muster/record-diff';
import type { RecordFields, RecordKind, StoredItem, StoredRecord } from './record-kind.ts';

/** The field of a column; `custom_data` with its key. */
export type CellField = {
  name: 'name' | 'description' | 'item_type' | 'tags' | 'custom_data';
  key: string;
  label: string;
};

const NAMES = ['name', 'description', 'item_type', 'tags'] as const;

/** Null for a column that cannot be edited in the list. Ids of custom data columns have the encoded key. */
export const readCellField = (kind: RecordKind, columnId: string): CellField | null => {
  if (columnId.startsWith(CUSTOM_FIELD)) {
    const key = decodeURIComponent(columnId.slice(CUSTOM_FIELD.length));
    return { name: 'custom_data', key, label: key };
  }
  const name = NAMES.find((each) => each === columnId);
  return name && kind.fields.includes(name) ? { name, key: '', label: nameField(name) } : null;
};

/** Tags are a list; every other cell is one text. */
export type CellValue = string | readonly string[];

export const readCell = (record: StoredRecord, { name, key }: CellField): CellValue => {
  if (name === 'custom_data') {
    return Object.hasOwn(record.custom_data, key) ? (record.custom_data[key] ?? '') : '';
  }
  if (name === 'tags' || name === 'item_type') return (record as StoredItem)[name];
  return record[name] ?? '';
};

/** The fields that an edit of the cell changes. An empty text removes a description or a key of custom data. */
export const toCellPatch = (
  record: StoredRecord,
  { name, key }: CellField,
  value: CellValue,
): RecordFields => {
  if (name === 'custom_data') {
    const { [key]: _, ...others } = record.custom_data;
    return { custom_data: value === '' ? others : { ...record.custom_data, [key]: value } };
  }
  return { [name]: name === 'description' && value === '' ? null : value };
};

export const isSameCell = (a: CellValue, b: CellValue): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
