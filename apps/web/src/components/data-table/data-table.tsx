// The table of every list: virtual rows, sticky header, keys, selection and columns in the address.
import type { ReactNode } from 'react';
import { ErrorState } from '../states/error-state.tsx';
import { LoadingState } from '../states/loading-state.tsx';
import { NoMatchState } from '../states/no-match-state.tsx';
import { useUrlValues } from '../url/url-state.ts';
import type { Column } from './columns.ts';
import classes from './data-table.module.css';
import type { Rows } from './rows.ts';
import { TableBar } from './table-bar.tsx';
import { TableGrid } from './table-grid.tsx';
import { useSelection } from './use-selection.ts';
import { useShownColumns } from './use-shown-columns.ts';
import { readSort, useSortedRows } from './use-sorted-rows.ts';

export type DataTableProps<Row> = {
  /** What the rows are, in the plural: "Items". Names the table and counts it. */
  label: string;
  rows: Rows<Row>;
  columns: readonly Column<Row>[];
  /** Enter, or a click beside the links of a row. The row's first column should be a link as well. */
  onOpen?: (row: Row) => void;
  /** Shown when there is nothing at all. */
  empty: ReactNode;
  /** Whether filters are set: then "nothing" means "no match". */
  isFiltered?: boolean;
  onClearFilters?: () => void;
  /** Rows can be selected; the actions for the selected ones stand above the table. */
  selectedActions?: (ids: readonly string[], clear: () => void) => ReactNode;
  /** CSS height where the table does not fill its page: the rows scroll inside. */
  height?: string;
};

export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, rows, columns, empty, isFiltered, onClearFilters, selectedActions } = props;
  const { sort: sortParameter } = useUrlValues();
  const sort = readSort(sortParameter);
  const { shown, toggle } = useShownColumns(columns);
  const sorted = useSortedRows(rows, columns, sort);
  const selection = useSelection(sorted.map(rows.rowId));
  if (rows.isLoading) return <LoadingState lines={12} />;
  if (rows.error && rows.rows.length === 0) {
    return <ErrorState error={rows.error} onRetry={rows.refetch} />;
  }
  if (rows.rows.length === 0 && rows.arrivals === 0) {
    return isFiltered && onClearFilters ? <NoMatchState onClear={onClearFilters} /> : empty;
  }
  return (
    <div className={classes.frame} style={{ height: props.height }}>
      <TableBar
        label={label}
        rows={rows}
        columns={columns}
        shown={shown}
        onToggleColumn={toggle}
        selection={selectedActions && { selection, actions: selectedActions }}
      />
      <TableGrid
        label={label}
        source={rows}
        rows={sorted}
        columns={columns}
        shown={shown}
        sort={sort}
        selection={selectedActions && selection}
        onOpen={props.onOpen}
      />
    </div>
  );
};
