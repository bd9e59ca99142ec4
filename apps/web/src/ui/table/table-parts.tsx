import { UnstyledButton } from '@mantine/core';
import { FlexRender } from '@tanstack/react-table';
import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react';
import { memo } from 'react';
import { Icon } from '../icons.tsx';
import classes from './data-table.module.css';
import type { Column, RowModel, TableModel } from './table-model.ts';

type TableHeadProps<Row> = {
  table: TableModel<Row>;
  /** The shown columns. */
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
  /** The only row in the tab order; j and k change it. */
  isActive: boolean;
  isRemoved: boolean;
  /** Undefined if rows are not selectable. */
  isSelected: boolean | undefined;
  /** Why the row cannot be selected. */
  whyNot: string | undefined;
  opens: boolean;
  /** Both functions must be stable. */
  onFocus: (index: number) => void;
  onOpen: (row: Row) => void;
};

const DrawnRow = <Row,>(props: TableRowProps<Row>) => {
  const { row, index, columns, isActive, isRemoved, isSelected, whyNot, opens } = props;
  const { onFocus, onOpen } = props;
  // Toggles the row, or with Shift the range from the row that was toggled last.
  const onSelect = row.getToggleSelectedHandler();
  const hasCheck = isSelected !== undefined;
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'Enter' && opens) onOpen(row.original);
    else if (event.key === ' ' && hasCheck && whyNot === undefined) {
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
      {hasCheck && (
        <td title={whyNot}>
          <RowCheck
            aria-label={whyNot ?? 'Select row'}
            checked={isSelected}
            disabled={whyNot !== undefined}
            onChange={onSelect}
          />
        </td>
      )}
      {row.getVisibleCells().map((cell, at) => (
        <td key={cell.id} data-column={columns[at]?.id} data-align={columns[at]?.align}>
          <div className="ellipsis">
            <FlexRender cell={cell} />
          </div>
        </td>
      ))}
    </tr>
  );
};

/** The table creates new row models on every change, so `original` is compared instead. */
const showsTheSame = (
  { row: before, ...old }: TableRowProps<never>,
  { row: after, ...next }: TableRowProps<never>,
): boolean =>
  before.id === after.id &&
  before.original === after.original &&
  (Object.keys(next) as (keyof typeof next)[]).every((name) => old[name] === next[name]);

/** Rendered again only if its content changes, so that scrolling renders only new rows. */
export const TableRow = memo(DrawnRow, showsTheSame as never) as typeof DrawnRow;

/** Clicks on links, buttons and selected text do not open the row. */
const isPlainClick = (event: MouseEvent): boolean =>
  !(event.target as Element).closest('a, button, input, label') &&
  (window.getSelection()?.isCollapsed ?? true);

type RowCheckProps = Omit<ComponentProps<'input'>, 'ref' | 'type' | 'className'> & {
  /** Some, but not all, rows are selected. */
  isPartial?: boolean;
};

/** The browser's own checkbox, because Mantine's took a fifth of a row's render time. */
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
