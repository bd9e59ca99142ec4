import type { Row as TableRowModel } from '@tanstack/react-table';
import { FlexRender } from '@tanstack/react-table';
import type { KeyboardEvent, MouseEvent } from 'react';
import { memo } from 'react';
import type { Column } from './columns.ts';
import classes from './data-table.module.css';
import { RowCheck } from './row-check.tsx';
import type { features } from './table-grid.tsx';

type TableRowProps<Row> = {
  row: TableRowModel<typeof features, Row & object>;
  index: number;
  columns: readonly Column<Row>[];
  /** The one row that the Tab key reaches; j and k choose it. */
  isActive: boolean;
  isGone: boolean;
  /** Undefined where rows cannot be selected. */
  isSelected: boolean | undefined;
  opens: boolean;
  /** All of them stay the same functions for as long as the table is there. */
  onFocus: (index: number) => void;
  onSelect: (id: string, extend: boolean) => void;
  onOpen: (row: Row) => void;
};

const DrawnRow = <Row,>(props: TableRowProps<Row>) => {
  const { row, index, columns, isActive, isGone, isSelected, opens } = props;
  const { onFocus, onSelect, onOpen } = props;
  const canSelect = isSelected !== undefined;
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && opens) onOpen(row.original);
    else if (event.key === ' ' && canSelect) onSelect(row.id, event.shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-opens={opens || undefined}
      data-selected={isSelected || undefined}
      data-gone={isGone || undefined}
      aria-rowindex={index + 2}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onFocus(index)}
      onKeyDown={onKeyDown}
      onClick={(event) => opens && isPlainClick(event) && onOpen(row.original)}
    >
      {canSelect && (
        <td>
          <RowCheck
            aria-label="Select row"
            checked={isSelected}
            onChange={() => {}}
            onClick={(event) => onSelect(row.id, event.shiftKey)}
          />
        </td>
      )}
      {row.getVisibleCells().map((cell, at) => (
        <td key={cell.id} data-align={columns[at]?.align}>
          <div className={classes.cell}>
            <FlexRender cell={cell} />
          </div>
        </td>
      ))}
    </tr>
  );
};

/** The table makes new models of its rows whenever it scrolls; what they show is in `original`. */
const showsTheSame = (
  { row: before, ...old }: TableRowProps<never>,
  { row: after, ...next }: TableRowProps<never>,
): boolean =>
  before.id === after.id &&
  before.original === after.original &&
  (Object.keys(next) as (keyof typeof next)[]).every((name) => old[name] === next[name]);

/** Drawn again only when it shows something else: a scrolling table draws the rows that come into sight. */
export const TableRow = memo(DrawnRow, showsTheSame as never) as typeof DrawnRow;

/** Links, buttons and selected text keep their own meaning. */
const isPlainClick = (event: MouseEvent): boolean =>
  !(event.target as Element).closest('a, button, input, label') &&
  (window.getSelection()?.isCollapsed ?? true);
