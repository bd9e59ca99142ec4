import { Group, Radio, Stack } from '@mantine/core';
import type { FieldConflict } from '@muster/record-diff';
import { FieldValue } from '../diff/field-value.tsx';
import type { Side } from './conflict-choice.tsx';
import classes from './conflict-row.module.css';

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

/** One place with three values; nothing is chosen beforehand. */
export const ConflictRow = ({ conflict, side, onChoose }: ConflictRowProps) => (
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
            <span className={classes.words}>{words}</span>
            <FieldValue value={conflict[value]} />
          </Group>
        </Radio.Card>
      ))}
    </Stack>
  </Radio.Group>
);
