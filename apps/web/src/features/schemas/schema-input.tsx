// The input for one key of a schema, fit for its type. Values stay texts.
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { SchemaField } from '@muster/contract';
import type { ValueNote } from './value-note.ts';

type SchemaInputProps = {
  field: SchemaField;
  value: string;
  note: ValueNote;
  /** Instead of the label of the field, which the description then has. */
  label?: string;
  /** Replaces the visible label for screen readers. */
  'aria-label'?: string;
  /** As wide as its value needs, if that is known. */
  isNarrow?: boolean;
  onChange: (value: string) => void;
};

/** Pixels. */
const NARROW = 280;

const NONE = { value: '', label: 'None' };

/** Mantine has no warnings. Its messages of success have the place of errors, and do not make an input invalid. */
const WARNING_STYLE = { '--mantine-color-success': 'var(--muster-warn)' };

export const SchemaInput = (props: SchemaInputProps) => {
  const { field, value, note, isNarrow = false, onChange } = props;
  const { key, type, required, choices = [] } = field;
  const name = field.label ?? key;
  const { label = name } = props;
  const other = props.label === undefined ? key : name;
  const { error, warning } = note;
  const shared = {
    label,
    'aria-label': props['aria-label'],
    error,
    value,
    withAsterisk: required,
    ...(label !== other && { description: other }),
    success: warning,
    style: WARNING_STYLE,
  };
  if (type === 'choice' || type === 'boolean') {
    const listed = type === 'choice' ? choices : ['true', 'false'];
    // A value that does not fit stays visible until the user replaces it.
    const data = value === '' || listed.includes(value) ? listed : [...listed, value];
    return (
      <NativeSelect
        {...shared}
        maw={isNarrow ? NARROW : undefined}
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
  const isShort = type === 'date' || type === 'colour';
  return (
    <TextInput
      {...shared}
      maw={isNarrow && (isNumber || isShort) ? NARROW : undefined}
      placeholder={PLACEHOLDERS[type]}
      inputMode={isNumber ? 'decimal' : undefined}
      autoComplete="off"
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
