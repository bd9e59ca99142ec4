import { ActionIcon, Textarea, TextInput } from '@mantine/core';
import { useRef } from 'react';
import classes from './custom-data-editor.module.css';
import { Icon } from './icons.tsx';
import { RowList } from './row-list.tsx';

export type CustomRow = {
  key: string;
  value: string;
  /** The user typed the key in the list of rows. Such a row stays in the list. */
  isTyped?: true;
};

const EMPTY_CUSTOM_ROW: CustomRow = { key: '', value: '' };

type CustomDataEditorProps = {
  rows: readonly CustomRow[];
  /** Rows that are edited elsewhere. */
  isHidden?: (row: CustomRow, index: number) => boolean;
  /** Error messages by path: `custom_data`, and `custom_data.0.key` or `custom_data.0.value` of a row. */
  problems: Readonly<Record<string, string>>;
  onChange: (rows: CustomRow[]) => void;
};

/** Edits keys and values, which are both text. */
export const CustomDataEditor = ({
  rows,
  isHidden = () => false,
  problems,
  onChange,
}: CustomDataEditorProps) => {
  const list = useRef<HTMLFieldSetElement>(null);
  const replace = (index: number, part: Partial<CustomRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const add = () => {
    onChange([...rows, EMPTY_CUSTOM_ROW]);
    requestAnimationFrame(() => {
      const keys = list.current?.querySelectorAll<HTMLInputElement>('[data-key]');
      keys?.item(keys.length - 1).focus();
    });
  };
  return (
    <RowList
      field="custom_data"
      hint={rows.length === 0 && 'Key and text pairs for your game.'}
      problem={problems.custom_data}
      action="Add a key"
      onAdd={add}
      ref={list}
    >
      {rows.map((row, index) =>
        isHidden(row, index) ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position; keys change while the user types.
          <div className={classes.customRow} key={index}>
            <TextInput
              data-key
              aria-label={`Key ${index + 1}`}
              placeholder="Key"
              value={row.key}
              error={problems[`custom_data.${index}.key`]}
              onChange={(event) =>
                replace(index, { key: event.currentTarget.value, isTyped: true })
              }
            />
            <Textarea
              aria-label={`Value of ${row.key || `key ${index + 1}`}`}
              placeholder="Value"
              autosize
              minRows={1}
              maxRows={8}
              value={row.value}
              error={problems[`custom_data.${index}.value`]}
              onChange={(event) => replace(index, { value: event.currentTarget.value })}
            />
            <ActionIcon
              aria-label={`Remove ${row.key || `key ${index + 1}`}`}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <Icon name="x" size={16} />
            </ActionIcon>
          </div>
        ),
      )}
    </RowList>
  );
};

// Converts between the rows of the form and the map of the API.

/** Undefined if all rows are empty. The last of equal keys wins, as in JSON. */
export const toCustomData = (rows: readonly CustomRow[]): Record<string, string> | undefined => {
  const filled = rows.filter(({ key, value }) => key !== '' || value !== '');
  return filled.length > 0
    ? Object.fromEntries(filled.map(({ key, value }) => [key, value]))
    : undefined;
};

/** Shows problems of a key at the rows that have it, and all others above the rows. */
export const toCustomProblems = (
  rows: readonly CustomRow[],
  errors: Readonly<Record<string, unknown>>,
): Record<string, string> => {
  const placed = rows.map(({ key }, index) => [
    `custom_data.${index}.value`,
    errors[`custom_data.${key}`],
  ]);
  const found = [...placed, ['custom_data', errors.custom_data]];
  return Object.fromEntries(found.filter(([, problem]) => typeof problem === 'string'));
};
