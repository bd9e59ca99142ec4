// Inputs for the keys of a schema, each fit for its type. Values stay texts.
import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import type { SchemaField } from '@muster/contract';
import { findValueProblem } from '@muster/contract';
import type { CustomRow } from '../../ui/custom-data-editor.tsx';

type SchemaInputsProps = {
  fields: readonly SchemaField[];
  rows: readonly CustomRow[];
  /** Error messages by path, such as `custom_data.0.value`, or `custom_data.price` for a key without a row. */
  problems: Readonly<Record<string, string>>;
  onChange: (rows: CustomRow[]) => void;
};

export const SchemaInputs = ({ fields, rows, problems, onChange }: SchemaInputsProps) => {
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
        const found = value === '' ? undefined : findValueProblem(field, value);
        const reported = problems[`custom_data.${at < 0 ? field.key : `${at}.value`}`];
        return (
          <SchemaInput
            key={field.key}
            field={field}
            value={value}
            error={found === undefined ? reported : `${found}.`}
            onChange={(next) => change(field.key, next)}
          />
        );
      })}
    </Stack>
  );
};

type SchemaInputProps = {
  field: SchemaField;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
};

const NONE = { value: '', label: 'None' };

const SchemaInput = ({ field, value, error, onChange }: SchemaInputProps) => {
  const { key, label = key, type, required, choices = [] } = field;
  const shared = {
    label,
    error,
    value,
    withAsterisk: required,
    ...(label !== key && { description: key }),
  };
  if (type === 'choice' || type === 'boolean') {
    const listed = type === 'choice' ? choices : ['true', 'false'];
    // A value that does not fit stays visible until the user replaces it.
    const data = value === '' || listed.includes(value) ? listed : [...listed, value];
    return (
      <NativeSelect
        {...shared}
        maw={280}
        data={[NONE, ...data]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (type === 'text') {
    return (
      <Textarea
        {...shared}
        autosize
        minRows={1}
        maxRows={8}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const isNumber = type === 'number' || type === 'integer';
  return (
    <TextInput
      {...shared}
      maw={isNumber || type === 'date' || type === 'colour' ? 280 : undefined}
      placeholder={PLACEHOLDERS[type]}
      inputMode={isNumber ? 'decimal' : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
};

const PLACEHOLDERS = {
  number: '0.0',
  integer: '0',
  date: '2026-12-24',
  reference: 'Id of the record',
  colour: '#ff8800',
  url: 'https://',
};
