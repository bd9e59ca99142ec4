import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useUrlChange } from '../url/url-state.ts';
import type { Column } from './columns.ts';
import classes from './data-table.module.css';
import { RowCheck } from './row-check.tsx';
import type { Selection } from './use-selection.ts';
import type { Sort } from './use-sorted-rows.ts';

type TableHeadProps<Row> = {
  columns: readonly Column<Row>[];
  sort: Sort | null;
  selection?: Selection;
  /** Of all loaded rows. */
  ids: readonly string[];
};

export const TableHead = <Row,>({ columns, sort, selection, ids }: TableHeadProps<Row>) => (
  <thead className={classes.head}>
    <tr aria-rowindex={1}>
      {selection && (
        <th scope="col">
          <RowCheck
            aria-label="Select all loaded rows"
            checked={ids.length > 0 && ids.every((id) => selection.ids.has(id))}
            isPartial={selection.ids.size > 0 && ids.some((id) => !selection.ids.has(id))}
            onChange={(event) => selection.replace(event.currentTarget.checked ? ids : [])}
          />
        </th>
      )}
      {columns.map((column) => (
        <ColumnHead key={column.id} column={column} sort={sort?.id === column.id ? sort : null} />
      ))}
    </tr>
  </thead>
);

const ColumnHead = <Row,>({ column, sort }: { column: Column<Row>; sort: Sort | null }) => {
  const { header, align, sortValue, sortedByService } = column;
  const isSortable = sortValue !== undefined || sortedByService === true;
  const order = sort && (sort.isDescending ? 'descending' : 'ascending');
  return (
    <th scope="col" data-align={align} aria-sort={isSortable ? (order ?? 'none') : undefined}>
      {isSortable ? <SortButton column={column} sort={sort} /> : header}
    </th>
  );
};

const SortButton = <Row,>({ column, sort }: { column: Column<Row>; sort: Sort | null }) => {
  const change = useUrlChange();
  const Icon = sort?.isDescending ? IconArrowDown : IconArrowUp;
  return (
    <UnstyledButton
      className={classes.sort}
      onClick={() => change({ sort: nextSort(column.id, sort) })}
    >
      {column.header}
      <Icon size={13} aria-hidden data-hidden={sort === null || undefined} />
    </UnstyledButton>
  );
};

/** Ascending, then descending, then as the service lists them. */
const nextSort = (id: string, sort: Sort | null): string | undefined => {
  if (sort === null) return id;
  return sort.isDescending ? undefined : `-${id}`;
};
