// Rows of custom data in a form whose item type has a schema.
import type { SchemaField } from '@muster/contract';
import type { CustomRow } from '../../ui/custom-data-editor.tsx';

/**
 * Whether an input of the schema shows the row, so that the list of rows does not. A row whose key is being typed stays
 * in the list, because `hp_max` begins with `hp`; so does a second row of a key, because it has to be removed.
 */
export const hasOwnInput = (
  rows: readonly CustomRow[],
  index: number,
  fields: readonly SchemaField[],
): boolean => {
  const row = rows[index];
  if (!row || row.isTyped) return false;
  const isFirst = rows.findIndex(({ key }) => key === row.key) === index;
  return isFirst && fields.some(({ key }) => key === row.key);
};

/** Adds the defaults of keys that the rows do not have. */
export const addDefaults = (
  rows: readonly CustomRow[],
  fields: readonly SchemaField[],
): CustomRow[] => {
  const has = new Set(rows.map(({ key }) => key));
  const added = fields.flatMap(({ key, default: value }) =>
    value === undefined || has.has(key) ? [] : [{ key, value }],
  );
  return [...rows, ...added];
};

/** Removes the defaults that the user did not change. */
export const dropDefaults = (
  rows: readonly CustomRow[],
  fields: readonly SchemaField[],
): CustomRow[] =>
  rows.filter(
    (row) =>
      row.isTyped ||
      !fields.some(({ key, default: value }) => row.key === key && row.value === value),
  );
