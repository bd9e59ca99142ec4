import { UnstyledButton } from '@mantine/core';
import { FlexRender } from '@tanstack/react-table';
import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react';
import { memo } from 'react';
import { Icon } from '../icons.tsx';
import classes from './data-table.module.css';
import type { Column, RowModel, TableModel } from './table-model.ts';

type TableHeadProps<Row> = {
  table: TableModel<Row>;
  /** The shown ones. */
  columns: readonly Column<Row>[];
  canSelect: boolean;
};

export const TableHead = <Row,>({ table, columns, canSelect }: TableHeadProps<Row>) => (
  <thead className={classes.head}>
    <tr aria-rowindex={1}>
      {canSelect && (
        <th scope="col">
          <RowCheck
            aria-label="Select all loaded rows"
            checked={table.getIsAllRowsSelected()}
            isPartial={table.getSelectedRowIds().length > 0 && !table.getIsAllRowsSelected()}
            onChange={(event) =>
              event.currentTarget.checked
                ? table.toggleAllRowsSelected(true)
                : table.resetRowSelection(true)
            }
          />
        </th>
      )}
      {columns.map((column) => (
        <ColumnHead key={column.id} table={table} column={column} />
      ))}
    </tr>
  </thead>
);

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

type ColumnHeadProps<Row> = { table: TableModel<Row>; column: Column<Row> };

const ColumnHead = <Row,>({ table, column: { id, header, align } }: ColumnHeadProps<Row>) => {
  const column = table.getColumn(id);
  if (!column?.getCanSort()) {
    return (
      <th scope="col" data-align={align}>
        {header}
      </th>
    );
  }
  const sorted = column.getIsSorted();
  const arrow = sorted === 'desc' ? 'arrow-down' : 'arrow-up';
  return (
    <th scope="col" data-align={align} aria-sort={sorted ? ARIA_SORT[sorted] : 'none'}>
      <UnstyledButton className={classes.sort} onClick={column.getToggleSortingHandler()}>
        {header}
        <Icon name={arrow} size={13} visibility={sorted ? undefined : 'hidden'} />
      </UnstyledButton>
    </th>
  );
};

type TableRowProps<Row> = {
  row: RowModel<Row>;
  index: number;
  columns: readonly Column<Row>[];
  /** The one row that the Tab key reaches; j and k choose it. */
  isActive: boolean;
  isRemoved: boolean;
  /** Undefined where rows cannot be selected. */
  isSelected: boolean | undefined;
  opens: boolean;
  /** Both stay the same functions for as long as the table is there. */
  onFocus: (index: number) => void;
  onOpen: (row: Row) => void;
};

const DrawnRow = <Row,>(props: TableRowProps<Row>) => {
  const { row, index, columns, isActive, isRemoved, isSelected, opens } = props;
  const { onFocus, onOpen } = props;
  // Selects, or with Shift the range from the row that was toggled last.
  const onSelect = row.getToggleSelectedHandler();
  const canSelect = isSelected !== undefined;
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && opens) onOpen(row.original);
    else if (event.key === ' ' && canSelect) {
      onSelect({ target: { checked: !isSelected }, shiftKey: event.shiftKey });
    } else return;
    event.preventDefault();
  };
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-opens={opens || undefined}
      data-selected={isSelected || undefined}
      data-removed={isRemoved || undefined}
      aria-rowindex={index + 2}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onFocus(index)}
      onKeyDown={onKeyDown}
      onClick={(event) => opens && isPlainClick(event) && onOpen(row.original)}
    >
      {canSelect && (
        <td>
          <RowCheck aria-label="Select row" checked={isSelected} onChange={onSelect} />
        </td>
      )}
      {row.getVisibleCells().map((cell, at) => (
        <td key={cell.id} data-align={columns[at]?.align}>
          <div className="ellipsis">
            <FlexRender cell={cell} />
          </div>
        </td>
      ))}
    </tr>
  );
};

/** The table makes new models of its rows whenever one of them changes; what they show is in `original`. */
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

type RowCheckProps = Omit<ComponentProps<'input'>, 'ref' | 'type' | 'className'> & {
  /** Some of what it stands for is chosen. */
  isPartial?: boolean;
};

/** The browser's own checkbox: Mantine's took a fifth of the time in which a row was drawn. */
const RowCheck = ({ isPartial = false, ...input }: RowCheckProps) => (
  <input
    {...input}
    ref={(element) => {
      if (element) element.indeterminate = isPartial;
    }}
    type="checkbox"
    className={classes.check}
  />
);
