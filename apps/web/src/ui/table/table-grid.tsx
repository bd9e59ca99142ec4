// Renders the rows. Only visible rows are in the document, whatever the length of the list.

import { useCallbackRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useCommand } from '../commands.ts';
import classes from './data-table.module.css';
import type { Rows } from './rows.ts';
import type { Column, TableModel } from './table-model.ts';
import { useIsPhone } from './table-model.ts';
import { TableHead, TableRow } from './table-parts.tsx';

/** All rows have the same height, so that the scroll bar is exact without measuring. Must equal the style sheet. */
const ROW_HEIGHT = 36;
/** The minimum height, in pixels, that a small window shows. */
const MIN_HEIGHT = 128;
const WIDTH = 120;
/** The cells of a phone have less padding. Must equal the style sheet. */
const SAVED_ON_PHONE = 8;
/** A phone shortens the text of columns that grow, so that it shows the others without scrolling sideways. */
const GROWING_ON_PHONE = 100;
const CHECK_WIDTH = 42;
/** Rows rendered above and below the visible ones, after the first paint. */
const OVERSCAN = 6;
/**
 * Estimated pixels of header, filters and toolbar. With it, the first render already has rows. Measuring an empty table
 * first requires a second layout, which took a third of the render time.
 */
const HEIGHT_ABOVE_ROWS = 210;
/** The next page is requested when only this many rows are left below. */
const ROWS_AHEAD = 30;

type TableGridProps<Row> = {
  label: string;
  source: Rows<Row>;
  table: TableModel<Row>;
  columns: readonly Column<Row>[];
  canSelect: boolean;
  whyNotSelectable: ((row: Row) => string | undefined) | undefined;
  onOpen?: (row: Row) => void;
};

export const TableGrid = <Row,>(props: TableGridProps<Row>) => {
  const { label, source, table, columns, canSelect, whyNotSelectable, onOpen } = props;
  const { rows } = table.getRowModel();
  const container = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => container.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: useDeferredValue(OVERSCAN, 0),
    initialRect: { width: 0, height: Math.max(0, window.innerHeight - HEIGHT_ABOVE_ROWS) },
    scrollPaddingStart: ROW_HEIGHT,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useNextPage(source, last);
  const { active, setActive } = useActiveRow({
    count: rows.length,
    container,
    scrollToRow: virtual.scrollToIndex,
  });
  const { columnVisibility } = table.state;
  const shownColumns = useMemo(
    () => columns.filter(({ id }) => columnVisibility[id]),
    [columns, columnVisibility],
  );
  const isPhone = useIsPhone();
  const widthOf = ({ width = WIDTH, grow }: Column<Row>): number => {
    if (!isPhone) return width;
    return grow ? Math.min(width, GROWING_ON_PHONE) : width - SAVED_ON_PHONE;
  };
  const checkWidth = isPhone ? CHECK_WIDTH - SAVED_ON_PHONE : CHECK_WIDTH;
  const minWidth = shownColumns.reduce((sum, column) => sum + widthOf(column), 0);
  const onRowOpen = useCallbackRef(onOpen);
  return (
    <div
      className={classes.scroller}
      style={{ minHeight: Math.min(MIN_HEIGHT, (rows.length + 1) * ROW_HEIGHT) }}
      ref={container}
    >
      <table
        className={classes.table}
        style={{ minWidth: canSelect ? minWidth + checkWidth : minWidth }}
        aria-label={label}
        aria-rowcount={countRows(source)}
      >
        <colgroup>
          {canSelect && <col style={{ width: checkWidth }} />}
          {shownColumns.map((column) => (
            <col key={column.id} style={column.grow ? undefined : { width: widthOf(column) }} />
          ))}
        </colgroup>
        <TableHead table={table} columns={shownColumns} canSelect={canSelect} />
        <tbody>
          <Spacer height={first * ROW_HEIGHT} />
          {rows.slice(first, last + 1).map((row, offset) => (
            <TableRow
              key={row.id}
              row={row}
              index={first + offset}
              columns={shownColumns}
              isActive={first + offset === active}
              isRemoved={source.removedIds.has(row.id)}
              isSelected={canSelect ? row.getIsSelected() : undefined}
              whyNot={canSelect ? whyNotSelectable?.(row.original) : undefined}
              opens={onOpen !== undefined}
              onFocus={setActive}
              onOpen={onRowOpen}
            />
          ))}
          <Spacer height={virtual.getTotalSize() - (last + 1) * ROW_HEIGHT} />
        </tbody>
      </table>
    </div>
  );
};

/** Includes the header row; -1 if the number is unknown (WAI-ARIA 1.2, aria-rowcount). */
const countRows = <Row,>({ rows, total, isTotalExact, hasMore }: Rows<Row>): number => {
  if (hasMore && (total === undefined || !isTotalExact)) return -1;
  return (total ?? rows.length) + 1;
};

/** Fills the space of rows that are not rendered. */
const Spacer = ({ height }: { height: number }) =>
  height > 0 ? <tr style={{ height }} aria-hidden /> : null;

const useNextPage = <Row,>(
  { rows, hasMore, isLoadingMore, error, loadMore }: Rows<Row>,
  last: number,
) => {
  const isNear = last >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNear && hasMore && !isLoadingMore && !error) loadMore();
  });
};

type Options = {
  count: number;
  container: RefObject<HTMLElement | null>;
  scrollToRow: (index: number) => void;
};

/** The active row. j and k move it together with the focus. */
const useActiveRow = ({ count, container, scrollToRow }: Options) => {
  const [active, setActive] = useState(0);
  const isMoved = useRef(false);
  const move = (by: number): void => {
    const hasFocus = container.current?.contains(document.activeElement);
    const next = hasFocus
      ? Math.min(count - 1, Math.max(0, active + by))
      : Math.min(active, count - 1);
    isMoved.current = true;
    setActive(next);
    scrollToRow(next);
    if (next === active) focusRow(container.current, next);
  };
  useEffect(() => {
    if (!isMoved.current) return;
    isMoved.current = false;
    // Scrolling may have just rendered the row.
    requestAnimationFrame(() => focusRow(container.current, active));
  }, [active, container]);
  const enabled = count > 0;
  useCommand({ label: 'Next row', keys: 'j', isHidden: true, enabled, run: () => move(1) });
  useCommand({ label: 'Previous row', keys: 'k', isHidden: true, enabled, run: () => move(-1) });
  return { active: Math.min(active, Math.max(0, count - 1)), setActive };
};

const focusRow = (container: HTMLElement | null, index: number): void =>
  container
    ?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)
    ?.focus({ preventScroll: true });
