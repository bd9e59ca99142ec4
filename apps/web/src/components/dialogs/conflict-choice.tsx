import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { FieldConflict } from '@muster/record-diff';
import { diffRecords, mergeRecords, resolveConflict } from '@muster/record-diff';
import { useMemo, useState } from 'react';
import { ChangeTable } from '../diff/change-table.tsx';
import type { ConflictDialogProps } from './conflict-dialog.tsx';
import { ConflictRow } from './conflict-row.tsx';

export type Side = 'base' | 'theirs' | 'mine';

export const ConflictChoice = (props: ConflictDialogProps<object>) => {
  const { base, theirs, mine, theirName = 'somebody else', onResolve, onClose } = props;
  const { merged, conflicts } = useMemo(
    () => mergeRecords(base, theirs, mine),
    [base, theirs, mine],
  );
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const result = conflicts.reduce<object>(
    (record, conflict) => resolveConflict(record, conflict, sides[nameOf(conflict)] ?? 'mine'),
    merged,
  );
  const isDecided = conflicts.every((conflict) => sides[nameOf(conflict)]);
  return (
    <Modal opened onClose={onClose} size="xl" title="This was changed meanwhile">
      <Stack gap="md">
        <Text>
          {conflicts.length === 0
            ? `What ${theirName} saved and what you typed do not touch each other. Both go together:`
            : `You and ${theirName} changed the same places. Choose for each what stays; what you typed is kept until you do.`}
        </Text>
        {conflicts.map((conflict) => (
          <ConflictRow
            key={nameOf(conflict)}
            conflict={conflict}
            side={sides[nameOf(conflict)]}
            onChoose={(side) => setSides({ ...sides, [nameOf(conflict)]: side })}
          />
        ))}
        <section>
          <Text fw={600} mb={4}>
            What saving will change
          </Text>
          <ChangeTable changes={diffRecords(theirs, result)} />
        </section>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Back to my edit
          </Button>
          <Button disabled={!isDecided} onClick={() => onResolve(result)}>
            Continue with this
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};

const nameOf = ({ path }: FieldConflict): string => JSON.stringify(path);
