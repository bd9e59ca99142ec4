import { Drawer, Group } from '@mantine/core';
import { DiffView } from '../../components/diff/diff-view.tsx';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import type { PlannedChange } from './planned-change.ts';
import { PlannedTag } from './planned-tag.tsx';

type ChangesDrawerProps = { change: PlannedChange | null; onClose: () => void };

/** Every field of one record that would be written. */
export const ChangesDrawer = ({ change, onClose }: ChangesDrawerProps) => (
  <Drawer
    opened={change !== null}
    onClose={onClose}
    position="right"
    size="xl"
    title={change?.name ?? 'Changes'}
  >
    {change && (
      <>
        <Group gap="sm" mb="sm">
          <PlannedTag change={change} />
          {change.row !== undefined && (
            <span>Row {change.row.toLocaleString('en')} of the file</span>
          )}
          <CopyableId id={change.record_id} label="record id" />
        </Group>
        <DiffView changes={change.changes} />
      </>
    )}
  </Drawer>
);
