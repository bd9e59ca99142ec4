import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import { useUrlChange, useUrlValues } from '../url/url-state.ts';
import type { Column } from './columns.ts';
import { readList, writeList } from './table-search.ts';

/** Which columns are shown: those in the address, else the default ones of this kind of screen. */
export const useShownColumns = <Row>(columns: readonly Column<Row>[]) => {
  const isPhone = useMediaQuery('(max-width: 48em)') ?? false;
  const chosen = readList(useUrlValues().cols);
  const change = useUrlChange();
  const known = chosen.filter((id) => columns.some((column) => column.id === id));
  const usual = columns
    .filter((column) => column.isShown !== false && !(isPhone && column.isOnPhone === false))
    .map(({ id }) => id);
  const ids = (known.length > 0 ? known : usual).join();
  // The same set for as long as it holds the same: the table is not made anew whenever the page is drawn.
  const shown = useMemo(() => new Set(readList(ids)), [ids]);
  const toggle = (id: string): void => {
    const next = columns
      .map((column) => column.id)
      .filter((other) => shown.has(other) !== (other === id));
    const isUsual = next.length === usual.length && next.every((other) => usual.includes(other));
    change({ cols: isUsual ? undefined : writeList(next) });
  };
  return { shown, toggle };
};
