import { Box, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import type { FieldConflict } from '@muster/record-diff';
import { diffRecords, mergeRecords, resolveConflict } from '@muster/record-diff';
import { useMemo, useState } from 'react';
import { ChangeTable, FieldValue } from '../../ui/change-table.tsx';
import classes from './conflict-dialog.module.css';

type Side = 'base' | 'theirs' | 'mine';

type ConflictDialogProps = {
  /** The common base of both edits. */
  base: object;
  /** The stored record. */
  theirs: object;
  /** The draft. The form keeps it until the user accepts a merge. */
  mine: object;
  /** The name of the account that saved the stored version, if known. */
  theirName?: string;
  /** Called with the merged draft, which is then saved as an update of the stored version. */
  onResolve: (merged: object) => void;
  onClose: () => void;
};

/**
 * Another user saved the record first: shows both edits and lets the user resolve each conflict. Mount it
 * while there is a conflict.
 */
export const ConflictDialog = (props: ConflictDialogProps) => {
  const { base, theirs, mine, theirName = 'someone else', onResolve, onClose } = props;
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
    <Modal opened onClose={onClose} size="xl" title="Someone else changed this record">
      <Stack gap="md">
        <Text>
          {conflicts.length === 0
            ? `Your changes and those of ${theirName} do not overlap. Both are kept:`
            : `You and ${theirName} changed the same fields. Choose which value to keep for each; what you typed is kept until you do.`}
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

type ConflictRowProps = {
  conflict: FieldConflict;
  side: Side | undefined;
  onChoose: (side: Side) => void;
};

const SIDES: readonly [Side, string][] = [
  ['mine', 'Mine'],
  ['theirs', 'Theirs'],
  ['base', 'As it was before'],
];

/** One conflict with its three values. Nothing is selected by default. */
const ConflictRow = ({ conflict, side, onChoose }: ConflictRowProps) => (
  <Radio.Group
    label={conflict.label}
    value={side ?? null}
    onChange={(value) => onChoose(value as Side)}
  >
    <Stack gap={4} mt={4}>
      {SIDES.map(([value, words]) => (
        <Radio.Card key={value} value={value} className={classes.side}>
          <Group gap="sm" wrap="nowrap" align="flex-start">
            <Radio.Indicator />
            <Box component="span" flex="none" w="9rem" fw={550}>
              {words}
            </Box>
            <FieldValue value={conflict[value]} />
          </Group>
        </Radio.Card>
      ))}
    </Stack>
  </Radio.Group>
);
