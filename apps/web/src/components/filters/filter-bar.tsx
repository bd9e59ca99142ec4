// Filters that live in the address. The route's zod schema says which there are and what they accept.
import { Button, Group } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { useUrlChange, useUrlValues } from '../url/url-state.ts';
import classes from './filter-bar.module.css';

/** A phone has room for so many at once; of more, only the main one stays in sight until they are asked for. */
const MOST_UNFOLDED = 3;

type FilterBarProps = {
  /** The parameters that filter: "Clear filters" removes these. */
  names: readonly string[];
  children: ReactNode;
};

export const FilterBar = ({ names, children }: FilterBarProps) => {
  const { isFiltered, count, clear } = useFilters(names);
  const [isOpen, setOpen] = useState(false);
  const isLong = names.length > MOST_UNFOLDED;
  const id = useId();
  return (
    <search className={classes.bar}>
      <Group
        id={id}
        gap="xs"
        align="flex-end"
        className={classes.filters}
        data-folded={(isLong && !isOpen) || undefined}
      >
        {isLong && (
          <Button
            className={classes.toggle}
            variant="default"
            aria-expanded={isOpen}
            aria-controls={id}
            data-unfolded
            leftSection={<IconAdjustmentsHorizontal size={15} aria-hidden />}
            onClick={() => setOpen(!isOpen)}
          >
            {count > 0 ? `Filters (${count})` : 'Filters'}
          </Button>
        )}
        {children}
        {isFiltered && (
          <Button variant="subtle" data-unfolded onClick={clear}>
            Clear filters
          </Button>
        )}
      </Group>
    </search>
  );
};

/** Whether any of them is set, and how to clear them: for a table's "no match". */
export const useFilters = (names: readonly string[]) => {
  const values = useUrlValues();
  const change = useUrlChange();
  const count = names.filter((name) => values[name] !== undefined).length;
  return {
    isFiltered: count > 0,
    count,
    clear: () => change(Object.fromEntries([...names, 'sel'].map((name) => [name, undefined]))),
  };
};
