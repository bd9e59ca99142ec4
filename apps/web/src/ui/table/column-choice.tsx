// The choice of a table's columns and their order.
import { ActionIcon, Button, Checkbox, Group, Popover, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../icons.tsx';
import { writeList } from '../url-state.tsx';
import type { Column } from './table-model.ts';

type ColumnChoiceProps = {
  /** In their usual order, so that no checkbox moves under the pointer. */
  columns: readonly Pick<Column<never>, 'id' | 'header'>[];
  table: { getColumn: (id: string) => { toggleVisibility: () => void } | undefined };
  /** In their order. */
  shownColumns: readonly { id: string }[];
  onMove: (order: { cols: string | undefined }) => void;
  end: ((shown: readonly string[]) => ReactNode) | undefined;
};

export const ColumnChoice = ({ columns, table, shownColumns, onMove, end }: ColumnChoiceProps) => {
  const shown = shownColumns.map(({ id }) => id);
  const move = (id: string, steps: -1 | 1) => {
    const from = shown.indexOf(id);
    const others = shown.filter((each) => each !== id);
    onMove({ cols: writeList(others.toSpliced(from + steps, 0, id)) });
  };
  return (
    <Popover position="bottom-end" trapFocus returnFocus width={290}>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          ml="auto"
          leftSection={<Icon name="columns-3" size={15} />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="sm">
          <Stack gap={4} mah="45vh" style={{ overflowY: 'auto' }}>
            {columns.map(({ id, header }) => {
              const place = shown.indexOf(id);
              return (
                <Group key={id} gap={4} mih={26} wrap="nowrap">
                  <Checkbox
                    flex="1 1 auto"
                    miw={0}
                    label={header}
                    checked={place >= 0}
                    disabled={place >= 0 && shown.length === 1}
                    onChange={() => table.getColumn(id)?.toggleVisibility()}
                  />
                  {place > 0 && (
                    <MoveButton
                      label={`Move ${header} to the left`}
                      icon="arrow-up"
                      onClick={() => move(id, -1)}
                    />
                  )}
                  {place >= 0 && place < shown.length - 1 && (
                    <MoveButton
                      label={`Move ${header} to the right`}
                      icon="arrow-down"
                      onClick={() => move(id, 1)}
                    />
                  )}
                </Group>
              );
            })}
          </Stack>
          {end?.(shown)}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};

type MoveButtonProps = { label: string; icon: 'arrow-up' | 'arrow-down'; onClick: () => void };

const MoveButton = ({ label, icon, onClick }: MoveButtonProps) => (
  <ActionIcon size="sm" aria-label={label} title={label} onClick={onClick}>
    <Icon name={icon} size={14} />
  </ActionIcon>
);
