// The table of every list: virtual rows, sticky header, keyboard control, selection and columns in the URL.

import { Button, Flex, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { lazy, Suspense } from 'react';
import { Tag } from '../facts.tsx';
import { useFilters } from '../filters.tsx';
import { ErrorState, LoadingState, NoMatchState } from '../states.tsx';
import type { Rows } from './rows.ts';
import { TableGrid } from './table-grid.tsx';
import type { Column, TableModel } from './table-model.ts';
import { useOrderedColumns, useTableModel, useTableState } from './table-model.ts';

type DataTableProps<Row> = {
  /** The plural name of the rows as within a sentence, "players" or "Items", for the table's label and count. */
  label: string;
  /** The singular, if it is not the label without its final "s". */
  singular?: string | undefined;
  rows: Rows<Row>;
  columns: readonly Column<Row>[];
  /** Called on Enter, or on a click in a row outside of its links. The row's first column should also be a link. */
  onOpen?: (row: Row) => void;
  /** Shown if there are no rows and no filter is set. */
  empty: ReactNode;
  /** The filter parameters. While one is set, an empty table shows "no match". */
  filters?: readonly string[];
  /** Makes rows selectable. Returns the actions for the selected rows, shown above the table. */
  selectedActions?: (ids: readonly string[], clear: () => void) => ReactNode;
  /** Why a row cannot be selected, in one sentence; undefined for one that can. Must be stable. */
  whyNotSelectable?: ((row: Row) => string | undefined) | undefined;
  /** Shown at the end of the choice of columns. Gets the ids of the shown ones, in their order. */
  columnChoiceEnd?: (shown: readonly string[]) => ReactNode;
  /** Replaces the number of selected rows: "All 4,178 Items that match". */
  selectedText?: string | undefined;
  /** Actions for all rows, while none is selected. */
  allActions?: ReactNode;
  /** CSS height for a table that does not fill its page. Its rows scroll inside. */
  height?: string;
  /** Keeps the columns, the sort and the selection out of the URL, which describes the page behind. */
  isInDialog?: boolean;
};

/** Not part of the first load. */
const ColumnChoice = lazy(() =>
  import('./column-choice.tsx').then((m) => ({ default: m.ColumnChoice })),
);

const NO_FILTERS: readonly string[] = [];

export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, rows, empty, filters = NO_FILTERS, selectedActions } = props;
  const { isFiltered, clear } = useFilters(filters);
  const state = useTableState(props.isInDialog);
  const columns = useOrderedColumns(props.columns, state.values.cols);
  const table = useTableModel(rows, columns, state, props.whyNotSelectable);
  if (rows.isLoading) return <LoadingState lines={12} />;
  if (rows.error && rows.rows.length === 0) {
    return <ErrorState error={rows.error} onRetry={rows.refetch} />;
  }
  if (rows.rows.length === 0 && rows.newRows === 0) {
    return isFiltered ? <NoMatchState onClear={clear} /> : empty;
  }
  return (
    <Flex direction="column" flex="1 1 auto" mih={0} style={{ height: props.height }}>
      <TableBar
        label={label}
        singular={props.singular}
        rows={rows}
        table={table}
        selectedActions={selectedActions}
        choice={
          <Suspense>
            <ColumnChoice
              columns={props.columns}
              table={table}
              shownColumns={table.getVisibleLeafColumns()}
              onMove={state.change}
              end={props.columnChoiceEnd}
            />
          </Suspense>
        }
        selectedText={props.selectedText}
        allActions={props.allActions}
      />
      <TableGrid
        label={label}
        source={rows}
        table={table}
        columns={columns}
        canSelect={selectedActions !== undefined}
        whyNotSelectable={props.whyNotSelectable}
        onOpen={props.onOpen}
      />
    </Flex>
  );
};

type TableBarProps<Row> = Pick<
  DataTableProps<Row>,
  'label' | 'singular' | 'rows' | 'selectedActions' | 'selectedText' | 'allActions'
> & {
  table: TableModel<Row>;
  choice: ReactNode;
};

/** The toolbar: the count, new rows, actions for selected rows, and the choice of columns. */
const TableBar = <Row,>(props: TableBarProps<Row>) => {
  const { label, rows, table, selectedActions, selectedText, allActions, choice } = props;
  const selected = selectedActions ? table.getSelectedRowIds() : [];
  const clear = () => table.resetRowSelection(true);
  return (
    <Group gap="4px 8px" mih={34}>
      <p className="hint numbers" aria-live="polite">
        {selected.length > 0
          ? (selectedText ?? `${formatCount(selected.length)} selected`)
          : describeCount(rows, label, props.singular)}
      </p>
      {selected.length === 0 && allActions}
      {selectedActions && selected.length > 0 && (
        <>
          {selectedActions(selected, clear)}
          <Button variant="subtle" color="gray" onClick={clear}>
            Clear selection
          </Button>
        </>
      )}
      {rows.isStale && <Tag tone="warn">Reconnecting …</Tag>}
      {rows.error !== null && (
        <>
          <Tag tone="bad">Could not load more</Tag>
          <Button variant="default" onClick={() => void rows.refetch()}>
            Try again
          </Button>
        </>
      )}
      {rows.newRows > 0 && (
        <Button variant="light" onClick={rows.showNewRows}>
          Show {formatCount(rows.newRows)} new
        </Button>
      )}
      {choice}
    </Group>
  );
};

const formatCount = (count: number): string => count.toLocaleString('en');

const describeCount = <Row,>(
  { rows, total, isTotalExact, hasMore }: Rows<Row>,
  label: string,
  singular = label.replace(/s$/, ''),
): string => {
  const count = total ?? rows.length;
  const isExact = total === undefined ? !hasMore : isTotalExact;
  return `${formatCount(count)}${isExact ? '' : '+'} ${count === 1 ? singular : label}`;
};
