import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Tag } from '../tag/tag.tsx';
import type { Column } from './columns.ts';
import classes from './data-table.module.css';
import type { Rows } from './rows.ts';
import type { Selection } from './use-selection.ts';

type TableBarProps<Row> = {
  label: string;
  rows: Rows<Row>;
  columns: readonly Column<Row>[];
  shown: ReadonlySet<string>;
  onToggleColumn: (id: string) => void;
  selection?: {
    selection: Selection;
    actions: (ids: readonly string[], clear: () => void) => ReactNode;
  };
};

/** How many there are, what has arrived, what to do with the selected ones, and which columns to show. */
export const TableBar = <Row,>({ label, rows, selection, ...choice }: TableBarProps<Row>) => {
  const selected = selection ? [...selection.selection.ids] : [];
  return (
    <div className={classes.bar}>
      <p className={classes.count} aria-live="polite">
        {selected.length > 0
          ? `${formatCount(selected.length)} selected`
          : describeCount(label, rows)}
      </p>
      {selection && selected.length > 0 && (
        <>
          {selection.actions(selected, selection.selection.clear)}
          <Button variant="subtle" color="gray" onClick={selection.selection.clear}>
            Clear selection
          </Button>
        </>
      )}
      {rows.isStale && <Tag tone="warn">Reconnecting …</Tag>}
      {rows.error !== null && (
        <>
          <Tag tone="bad">The rest could not be loaded</Tag>
          <Button variant="default" onClick={() => void rows.refetch()}>
            Try again
          </Button>
        </>
      )}
      {rows.arrivals > 0 && (
        <Button variant="light" onClick={rows.showArrivals}>
          Show {formatCount(rows.arrivals)} new
        </Button>
      )}
      <span className={classes.space} />
      <ColumnChoice {...choice} />
    </div>
  );
};

const ColumnChoice = <Row,>({
  columns,
  shown,
  onToggleColumn,
}: Pick<TableBarProps<Row>, 'columns' | 'shown' | 'onToggleColumn'>) => (
  <Popover position="bottom-end" trapFocus returnFocus>
    <Popover.Target>
      <Button variant="subtle" color="gray" leftSection={<IconColumns3 size={15} aria-hidden />}>
        Columns
      </Button>
    </Popover.Target>
    <Popover.Dropdown aria-label="Columns">
      <Stack gap="xs">
        {columns.map(({ id, header }) => (
          <Checkbox
            key={id}
            label={header}
            checked={shown.has(id)}
            disabled={shown.size === 1 && shown.has(id)}
            onChange={() => onToggleColumn(id)}
          />
        ))}
      </Stack>
    </Popover.Dropdown>
  </Popover>
);

const formatCount = (count: number): string => count.toLocaleString('en');

const describeCount = <Row,>(
  label: string,
  { rows, total, isTotalExact, hasMore }: Rows<Row>,
): string => {
  if (total !== undefined) {
    return `${formatCount(total)}${isTotalExact ? '' : '+'} ${nameOf(label, total)}`;
  }
  return `${formatCount(rows.length)}${hasMore ? '+' : ''} ${nameOf(label, rows.length)}`;
};

/** Labels are plurals; nearly all of them by their last letter. */
const nameOf = (label: string, count: number): string => {
  if (count !== 1) return label;
  return label === 'People' ? 'person' : label.replace(/s$/, '');
};
