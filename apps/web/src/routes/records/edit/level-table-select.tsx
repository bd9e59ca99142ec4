import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { nameField } from '@muster/record-diff';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../../api/trpc.ts';
import { useXpName } from '../../../features/records/use-xp-name.ts';

type LevelTableSelectProps = {
  sandbox: string;
  value: string | undefined;
  error: string | undefined;
  onChange: (id: string | undefined) => void;
};

const SETTLE_MS = 200;
const MOST_CHOICES = 50;

/** The Xp table that levels an Item, found by its name. */
export const LevelTableSelect = ({ sandbox, value, error, onChange }: LevelTableSelectProps) => {
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed, SETTLE_MS);
  const chosenName = useXpName(sandbox, value);
  // The field shows the name of the chosen table: that is no search.
  const search = name === chosenName ? '' : name;
  const found = useQuery({
    ...trpc.xp.list.queryOptions({ sandbox_id: sandbox, name: search, page_size: MOST_CHOICES }),
    placeholderData: keepPreviousData,
  });
  const tables = (found.data?.records ?? []).map(({ xp_id, name: label }) => {
    return { value: xp_id, label };
  });
  const isListed = tables.some((table) => table.value === value);
  const chosen = value && !isListed ? [{ value, label: chosenName }] : [];
  return (
    <Select
      label={nameField('level_xp_table_id')}
      description="Type a part of its name."
      maw={420}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'No Xp table' }}
      placeholder="None"
      nothingFoundMessage={found.isPending ? 'Looking …' : 'No Xp table has this name'}
      data={[...chosen, ...tables]}
      value={value ?? null}
      error={error}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => onChange(id ?? undefined)}
    />
  );
};
