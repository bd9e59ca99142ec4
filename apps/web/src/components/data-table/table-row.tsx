import { Checkbox } from '@mantine/core';
import type { Row as TableRowModel } from '@tanstack/react-table';
import { FlexRender } from '@tanstack/react-table';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { Column } from './columns.ts';
import classes from './data-table.module.css';
import type { features } from './table-grid.tsx';
import type { Selection } from './use-selection.ts';

type TableRowProps<Row> = {
  row: TableRowModel<typeof features, Row & object>;
  index: number;
  columns: readonly Column<Row>[];
  /** The one row that the Tab key reaches; j and k choose it. */
  isActive: boolean;
  isGone: boolean;
  selection?: Selection;
  onFocus: () => void;
  onOpen?: (row: Row) => void;
};

export const TableRow = <Row,>(props: TableRowProps<Row>) => {
  const { row, index, columns, isActive, isGone, selection, onFocus, onOpen } = props;
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && onOpen) onOpen(row.original);
    else if (event.key === ' ' && selection) selection.toggle(row.id, event.shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-opens={onOpen !== undefined || undefined}
      data-selected={selection?.ids.has(row.id) || undefined}
      data-gone={isGone || undefined}
      aria-rowindex={index + 2}
      tabIndex={isActive ? 0 : -1}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={(event) => isPlainClick(event) && onOpen?.(row.original)}
    >
      {selection && (
        <td>
          <Checkbox
            aria-label="Select row"
            checked={selection.ids.has(row.id)}
            onChange={() => {}}
            onClick={(event) => selection.toggle(row.id, event.shiftKey)}
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

/** Links, buttons and selected text keep their own meaning. */
const isPlainClick = (event: MouseEvent): boolean =>
  !(event.target as Element).closest('a, button, input, label') &&
  (window.getSelection()?.isCollapsed ?? true);
