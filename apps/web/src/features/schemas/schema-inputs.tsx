// The inputs for all keys of a schema.
import { Stack } from '@mantine/core';
import type { SchemaField } from '@muster/contract';
import type { CustomRow } from '../../ui/custom-data-editor.tsx';
import { SchemaInput } from './schema-input.tsx';
import { describeValue } from './value-note.ts';

type SchemaInputsProps = {
  fields: readonly SchemaField[];
  rows: readonly CustomRow[];
  /** Custom data before the edit; undefined for a new Item, and for one whose type changes. */
  stored: Readonly<Record<string, string>> | undefined;
  /** Error messages by path, such as `custom_data.0.value`, or `custom_data.price` for a key without a row. */
  problems: Readonly<Record<string, string>>;
  onChange: (rows: CustomRow[]) => void;
};

export const SchemaInputs = ({ fields, rows, stored, problems, onChange }: SchemaInputsProps) => {
  const change = (key: string, value: string) => {
    const at = rows.findIndex((row) => row.key === key);
    const row = { ...rows[at], key, value };
    if (at < 0) return onChange([...rows, row]);
    onChange(value === '' && !row.isTyped ? rows.toSpliced(at, 1) : rows.with(at, row));
  };
  return (
    <Stack gap="md">
      {fields.map((field) => {
        const at = rows.findIndex(({ key }) => key === field.key);
        const value = rows[at]?.value ?? '';
        const note = describeValue(field, value, stored);
        const reported = problems[`custom_data.${at < 0 ? field.key : `${at}.value`}`];
        return (
          <SchemaInput
            key={field.key}
            field={field}
            isNarrow
            value={value}
            note={{ ...note, error: note.error ?? reported }}
            onChange={(next) => change(field.key, next)}
          />
        );
      })}
    </Stack>
  );
};
