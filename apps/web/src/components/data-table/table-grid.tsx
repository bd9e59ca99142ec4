// The rows themselves. Only those in sight are in the document, whatever the length of the list.
import {
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import type { Column } from './columns.ts';
import classes from './data-table.module.css';
import type { Rows } from './rows.ts';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useActiveRow } from './use-active-row.ts';
import { useLatest } from './use-latest.ts';
import type { Selection } from './use-selection.ts';
import type { Sort } from './use-sorted-rows.ts';

/** Rows have one height, so that the scroll bar is right without measuring. The same as in the style sheet. */
const ROW_HEIGHT = 36;
/** Head and rows that a short window shows all the same. */
const LEAST_HEIGHT = 128;
const WIDTH = 120;
/** Rows above and below those in sight, which follow once these are drawn. */
const OVERSCAN = 6;
/**
 * Pixels of header, filters and bar. With it rows are drawn at once, and then measured with them: measuring an empty table
 * first lays the page out twice, which took a third of the time of the rows.
 */
const USUALLY_ABOVE = 210;
/** The next page is asked for when this many rows are left below. */
const ROWS_AHEAD = 30;

export const features = tableFeatures({ columnVisibilityFeature });

type TableGridProps<Row> = {
  label: string;
  source: Rows<Row>;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  shown: ReadonlySet<string>;
  sort: Sort | null;
  selection?: Selection;
  onOpen?: (row: Row) => void;
};

export const TableGrid = <Row,>(props: TableGridProps<Row>) => {
  const { label, source, rows, columns, shown, sort, selection, onOpen } = props;
  const container = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => container.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: useDeferredValue(OVERSCAN, 0),
    initialRect: { width: 0, height: Math.max(0, window.innerHeight - USUALLY_ABOVE) },
    scrollPaddingStart: ROW_HEIGHT,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useNextPage(source, last);
  const inSight = useMemo(() => rows.slice(first, last + 1), [rows, first, last]);
  const table = useRowModel(inSight, columns, shown, source.rowId);
  const { active, setActive } = useActiveRow({
    count: rows.length,
    container,
    scrollToRow: virtual.scrollToIndex,
  });
  const shownColumns = useMemo(() => columns.filter(({ id }) => shown.has(id)), [columns, shown]);
  const onSelect = useLatest(selection?.toggle);
  const onRowOpen = useLatest(onOpen);
  return (
    <div
      className={classes.scroller}
      style={{ minHeight: Math.min(LEAST_HEIGHT, (rows.length + 1) * ROW_HEIGHT) }}
      ref={container}
    >
      <table
        className={classes.table}
        style={{ minWidth: shownColumns.reduce((sum, { width = WIDTH }) => sum + width, 0) }}
        aria-label={label}
        aria-rowcount={countRows(source)}
      >
        <colgroup>
          {selection && <col className={classes.checkColumn} />}
          {shownColumns.map(({ id, width = WIDTH, grow }) => (
            <col key={id} style={grow ? undefined : { width }} />
          ))}
        </colgroup>
        <TableHead
          columns={shownColumns}
          sort={sort}
          selection={selection}
          ids={rows.map(source.rowId)}
        />
        <tbody>
          <Spacer height={first * ROW_HEIGHT} />
          {table.getRowModel().rows.map((row, offset) => (
            <TableRow
              key={row.id}
              row={row}
              index={first + offset}
              columns={shownColumns}
              isActive={first + offset === active}
              isGone={source.gone.has(row.id)}
              isSelected={selection?.ids.has(row.id)}
              opens={onOpen !== undefined}
              onFocus={setActive}
              onSelect={onSelect}
              onOpen={onRowOpen}
            />
          ))}
          <Spacer height={virtual.getTotalSize() - (last + 1) * ROW_HEIGHT} />
        </tbody>
      </table>
    </div>
  );
};

/** With the row of the head; -1 says that nobody knows (WAI-ARIA 1.2, aria-rowcount). */
const countRows = <Row,>({ rows, total, isTotalExact, hasMore }: Rows<Row>): number => {
  if (hasMore && (total === undefined || !isTotalExact)) return -1;
  return (total ?? rows.length) + 1;
};

/** Stands for the rows that are not drawn. */
const Spacer = ({ height }: { height: number }) =>
  height > 0 ? <tr className={classes.spacer} style={{ height }} aria-hidden /> : null;

const useNextPage = <Row,>(
  { rows, hasMore, isLoadingMore, error, loadMore }: Rows<Row>,
  last: number,
) => {
  const isNear = last >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNear && hasMore && !isLoadingMore && !error) loadMore();
  });
};

const useRowModel = <Row,>(
  inSight: Row[],
  columns: readonly Column<Row>[],
  shown: ReadonlySet<string>,
  rowId: (row: Row) => string,
) => {
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row & object>();
    return columns.map(({ id, header, cell }) =>
      helper.display({ id, header, cell: ({ row }) => cell(row.original) }),
    );
  }, [columns]);
  const columnVisibility = useMemo(
    () => Object.fromEntries(columns.map(({ id }) => [id, shown.has(id)])),
    [columns, shown],
  );
  return useTable({
    features,
    columns: definitions,
    data: inSight as (Row & object)[],
    getRowId: rowId,
    state: { columnVisibility },
  });
};
