// The fields of a schema in a form. Empty texts are absent members.
import type { SchemaField, SchemaFieldType } from '@muster/contract';

export type SchemaRow = {
  /** Identifies the row while its key is typed. */
  id: number;
  key: string;
  label: string;
  type: SchemaFieldType;
  required: boolean;
  default: string;
  choices: readonly string[];
  references: 'item' | 'xp';
};

let lastId = 0;

export const newRow = (): SchemaRow => {
  lastId += 1;
  return {
    id: lastId,
    key: '',
    label: '',
    type: 'text',
    required: false,
    default: '',
    choices: [],
    references: 'item',
  };
};

export const toRows = (fields: readonly SchemaField[]): SchemaRow[] =>
  fields.map((field) => ({
    ...newRow(),
    key: field.key,
    label: field.label ?? '',
    type: field.type,
    required: field.required,
    default: field.default ?? '',
    choices: field.choices ?? [],
    references: field.references ?? 'item',
  }));

export const toSchemaFields = (rows: readonly SchemaRow[]) =>
  rows.map(({ key, label, type, required, default: value, choices, references }) => ({
    key,
    type,
    required,
    ...(label !== '' && { label }),
    ...(value !== '' && { default: value }),
    ...(type === 'choice' && { choices: [...choices] }),
    ...(type === 'reference' && { references }),
  }));

export const TYPE_LABELS: Readonly<Record<SchemaFieldType, string>> = {
  text: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'True or false',
  choice: 'Choice',
  date: 'Date',
  reference: 'Reference',
  colour: 'Color',
  url: 'Web address',
};
