// A field with a list of rows, a button that adds a row, and the problems of the whole list below the rows.
import { Box, Button } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import type { ReactNode, Ref } from 'react';
import { Icon } from './icons.tsx';

type RowListProps = {
  /** The name of the field in the API, such as `custom_data`. */
  field: string;
  hint: string | false;
  problem: string | undefined;
  /** The label of the button. */
  action: string;
  onAdd: () => void;
  ref?: Ref<HTMLFieldSetElement>;
  children: ReactNode;
};

export const RowList = ({ field, hint, problem, action, onAdd, ref, children }: RowListProps) => (
  <fieldset className="plain" ref={ref}>
    <Box component="legend" p={0} mb={4} fz="xs" fw={600}>
      {nameField(field)}
    </Box>
    {hint && (
      <Box component="p" m="0 0 6px" c="dimmed" fz="0.75rem">
        {hint}
      </Box>
    )}
    {children}
    {problem && (
      <Box component="p" m="4px 0 0" c="var(--mantine-color-error)" fz="0.75rem">
        {problem}
      </Box>
    )}
    <Button mt={6} variant="default" leftSection={<Icon name="plus" size={14} />} onClick={onAdd}>
      {action}
    </Button>
  </fieldset>
);
