// Columns for keys of custom data: those of the loaded rows, and those in the URL. The sort by any column.
import { Button, Group, TextInput } from '@mantine/core';
import { CUSTOM_FIELD } from '@muster/contract';
import type { FormEvent } from 'react';
import { useMemo, useState } from 'react';
import type { Column } from '../../ui/table/table-model.ts';
import { readList, useUrlChange, useUrlValues, writeList } from '../../ui/url-state.tsx';
import { RECORD_COLUMNS } from './record-columns.tsx';
import type { ListSort, RecordKind, StoredRecord } from './record-kind.ts';

/** A key may contain the comma that separates columns in the URL. */
const toId = (key: string): string => CUSTOM_FIELD + encodeURIComponent(key);

/** The key of custom data that a column's id names. */
const readCustomKey = (id: string): string | undefined => {
  if (!id.startsWith(CUSTOM_FIELD)) return undefined;
  try {
    return decodeURIComponent(id.slice(CUSTOM_FIELD.length));
  } catch {
    return undefined;
  }
};

/** The sort of a list, as the service takes it. Without a valid one the list is sorted by name. */
export const readSort = (kind: RecordKind, search: string | undefined): ListSort => {
  const column = search?.replace(/^-/, '') ?? '';
  const key = readCustomKey(column);
  const sort = key ? (`custom_data.${key}` as const) : kind.sorts.find((each) => each === column);
  return sort ? { sort, order: search?.startsWith('-') ? 'desc' : 'asc' } : {};
};

/** More would fill the choice of columns; others can be typed. */
const MAX_OFFERED = 50;

export const useRecordColumns = (
  kind: RecordKind,
  known: readonly StoredRecord[],
): readonly Column<StoredRecord>[] => {
  const { cols } = useUrlValues();
  const offered = new Set(known.flatMap(({ custom_data }) => Object.keys(custom_data)));
  const inAddress = readList(cols).flatMap((id) => readCustomKey(id) ?? []);
  const keys = new Set([...inAddress, ...[...offered].sort().slice(0, MAX_OFFERED)]);
  // Columns must be a stable object.
  const text = JSON.stringify([...keys].sort());
  return useMemo(() => {
    const custom = (JSON.parse(text) as string[]).map(toColumn);
    return [...RECORD_COLUMNS[kind.kind], ...custom];
  }, [kind, text]);
};

const toColumn = (key: string): Column<StoredRecord> => ({
  id: toId(key),
  header: key,
  width: 130,
  isShown: false,
  cell: (record) => readValue(record, key),
  sortValue: (record) => readValue(record, key),
});

const readValue = ({ custom_data }: StoredRecord, key: string): string =>
  Object.hasOwn(custom_data, key) ? (custom_data[key] ?? '') : '';

type AddCustomColumnProps = {
  /** The ids of the shown columns. */
  shown: readonly string[];
};

/** For a key that no loaded row has. */
export const AddCustomColumn = ({ shown }: AddCustomColumnProps) => {
  const [key, setKey] = useState('');
  const change = useUrlChange();
  const add = (event: FormEvent) => {
    event.preventDefault();
    const id = toId(key.trim());
    if (key.trim() !== '' && !shown.includes(id)) change({ cols: writeList([...shown, id]) });
    setKey('');
  };
  return (
    <form onSubmit={add}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label="Another custom data key"
          maxLength={128}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Add
        </Button>
      </Group>
    </form>
  );
};
