// Filters that live in the address. The route's zod schema says which there are and what they accept.
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUrlChange, useUrlValues } from '../url/url-state.ts';
import classes from './filter-bar.module.css';

type FilterBarProps = {
  /** The parameters that filter: "Clear filters" removes these. */
  names: readonly string[];
  children: ReactNode;
};

export const FilterBar = ({ names, children }: FilterBarProps) => {
  const { isFiltered, clear } = useFilters(names);
  return (
    <search className={classes.bar}>
      <Group gap="xs" align="flex-end">
        {children}
        {isFiltered && (
          <Button variant="subtle" onClick={clear}>
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
  return {
    isFiltered: names.some((name) => values[name] !== undefined),
    clear: () => change(Object.fromEntries([...names, 'sel'].map((name) => [name, undefined]))),
  };
};
