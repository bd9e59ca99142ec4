import { Drawer, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { DiffView } from '../../components/diff/diff-view.tsx';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import type { Comparison, Entry } from './comparison.ts';
import { StatusTag } from './status-tag.tsx';

type DifferenceDrawerProps = {
  comparison: Comparison;
  entry: Entry | undefined;
  onClose: () => void;
};

/** One record in both sandboxes, field by field. */
export const DifferenceDrawer = ({ comparison, entry, onClose }: DifferenceDrawerProps) => {
  const { source, target, kind } = comparison;
  const to = kind === 'item' ? '/s/$sandbox/items/$id' : '/s/$sandbox/xp/$id';
  const linkTo = (sandbox: string, words: string) =>
    entry && (
      <Link to={to} params={{ sandbox, id: entry.record_id }}>
        {words}
      </Link>
    );
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={onClose}
      position="right"
      size="xl"
      title={entry?.name ?? 'Difference'}
    >
      {entry && (
        <>
          <Group gap="sm" mb="xs">
            <StatusTag status={entry.status} />
            <CopyableId id={entry.record_id} label="record id" />
          </Group>
          <Text size="xs" c="dimmed" mb="sm">
            Before: {target.name}. After: {source.name}, as promoting would make it.
          </Text>
          <DiffView changes={entry.changes} />
          <Group gap="md" mt="md">
            {entry.source && linkTo(source.sandbox_id, `Open in ${source.name}`)}
            {entry.target && linkTo(target.sandbox_id, `Open in ${target.name}`)}
          </Group>
        </>
      )}
    </Drawer>
  );
};
