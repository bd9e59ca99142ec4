// The state of a table: shown columns, sort and selection. All three are in
// the URL, so that every view is a link. A table in a dialog keeps its own.
import { useMediaQuery } from '@mantine/hooks';
import type { ColumnVisibilityState, RowSelectionState, Updater } from '@tanstack/react-table';
import {
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { readList, useUrlChange, useUrlValues, writeList } from '../url-state.tsx';
import type { Rows } from './rows.ts';

type ColumnOptions<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Minimum width in pixels (default: 120). A phone has narrower cells, and columns that grow may shrink there. */
  width?: number;
  /** Fills the remaining width. */
  grow?: boolean;
  /** `end` for numbers. */
  align?: 'start' | 'end';
  /** False: shown only if the user selects it. */
  isShown?: boolean;
  /** False: hidden on a phone unless the user selects it. */
  isOnPhone?: boolean;
  /** The value to sort by when all rows are loaded. If the service sorts, its presence marks the column as sortable. */
  sortValue?: (row: Row) => string | number;
};

/** Columns by id. The ids are part of URLs, so they must never change. */
export type Columns<Row> = Readonly<Record<string, ColumnOptions<Row>>>;

export type Column<Row> = ColumnOptions<Row> & { id: string };

type TableValues = { cols?: unknown; sort?: unknown; sel?: unknown };

export type TableState = { values: TableValues; change: (changes: TableValues) => void };

/** The URL belongs to the page, so a table in a dialog over it ignores the parameters of the list behind. */
export const useTableState = (isInDialog?: boolean): TableState => {
  const page = { values: useUrlValues(), change: useUrlChange() };
  const [values, setValues] = useState<TableValues>({});
  if (!isInDialog) return page;
  return { values, change: (changes) => setValues({ ...values, ...changes }) };
};

/** The chosen columns in their order, then the others. */
export const useOrderedColumns = <Row>(
  columns: readonly Column<Row>[],
  cols: unknown,
): readonly Column<Row>[] =>
  useMemo(() => {
    const chosen = readList(cols).flatMap((id) => columns.find((column) => column.id === id) ?? []);
    if (chosen.length === 0) return columns;
    return [...chosen, ...columns.filter((column) => !chosen.includes(column))];
  }, [columns, cols]);

/** Keeps the row's type in the cells. Call it outside of components, because the columns must be a stable object. */
export const defineColumns = <Row>(columns: Columns<Row>): readonly Column<Row>[] =>
  Object.entries(columns).map(([id, column]) => ({ id, ...column }));

const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});
export type TableModel<Row> = ReturnType<typeof useTableModel<Row>>;
export type RowModel<Row> = ReturnType<TableModel<Row>['getRowModel']>['rows'][number];

/** The maximum number of ids in one request to the admin API. More would not fit into a URL. */
const MAX_SELECTED = 1000;

/** `columns` are in the order of the table. */
export const useTableModel = <Row>(
  source: Rows<Row>,
  columns: readonly Column<Row>[],
  { values: { cols, sort, sel }, change }: TableState,
  whyNotSelectable?: (row: Row) => string | undefined,
) => {
  const usual = useUsualColumns(columns);
  const definitions = useMemo(() => toDefinitions(columns), [columns]);
  const columnVisibility = useMemo(() => {
    const chosen = readList(cols).filter((id) => columns.some((column) => column.id === id));
    const shown = chosen.length > 0 ? chosen : usual;
    return Object.fromEntries(columns.map(({ id }) => [id, shown.includes(id)]));
  }, [columns, cols, usual]);
  const sorting = useMemo(() => readSort(sort), [sort]);
  const rowSelection = useMemo(
    () => Object.fromEntries(readList(sel).map((id) => [id, true as const])),
    [sel],
  );
  return useTable({
    features,
    columns: definitions,
    data: source.rows as readonly (Row & object)[],
    getRowId: source.rowId,
    state: { columnVisibility, sorting, rowSelection },
    // Only the service can sort while pages are not loaded. If it does not sort, no column is sortable.
    manualSorting: source.sortsAll === true || source.hasMore,
    enableSorting: source.sortsAll === true || !source.hasMore,
    enableMultiSort: false,
    enableRowSelection: ({ original }) => whyNotSelectable?.(original) === undefined,
    sortDescFirst: false,
    onColumnVisibilityChange: (updater: Updater<ColumnVisibilityState>) => {
      const next = apply(updater, columnVisibility);
      const ids = columns.map(({ id }) => id).filter((id) => next[id]);
      change({ cols: ids.join() === usual.join() ? undefined : writeList(ids) });
    },
    onSortingChange: (updater) => {
      const [next] = apply(updater, sorting);
      change({ sort: next && (next.desc ? `-${next.id}` : next.id) });
    },
    onRowSelectionChange: (updater: Updater<RowSelectionState>) =>
      change({ sel: writeList(Object.keys(apply(updater, rowSelection)).slice(0, MAX_SELECTED)) }),
  });
};

const apply = <Value>(updater: Updater<Value>, current: Value): Value =>
  typeof updater === 'function' ? (updater as (old: Value) => Value)(current) : updater;

export const useIsPhone = (): boolean => useMediaQuery('(max-width: 47.99em)') ?? false;

/** The default columns for this screen size. */
const useUsualColumns = <Row>(columns: readonly Column<Row>[]): readonly string[] => {
  const isPhone = useIsPhone();
  return useMemo(
    () =>
      columns
        .filter(({ isShown, isOnPhone }) => isShown !== false && !(isPhone && isOnPhone === false))
        .map(({ id }) => id),
    [columns, isPhone],
  );
};

/** `name`, or `-name` for descending. */
const readSort = (sort: unknown): { id: string; desc: boolean }[] => {
  if (typeof sort !== 'string' || sort === '') return [];
  return [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }];
};

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const compareValues = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

const toDefinitions = <Row>(columns: readonly Column<Row>[]) => {
  const helper = createColumnHelper<typeof features, Row & object>();
  return helper.columns(
    columns.map(({ id, header, cell, sortValue }) => {
      const shared = {
        id,
        header,
        cell: ({ row }: { row: { original: Row } }) => cell(row.original),
      };
      if (!sortValue) return helper.display(shared);
      return helper.accessor(sortValue, {
        ...shared,
        sortFn: (a, b) => compareValues(a.getValue(id), b.getValue(id)),
      });
    }),
  );
};
