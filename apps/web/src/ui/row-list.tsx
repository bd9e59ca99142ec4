// A field that is a list of rows: people add to it below, and what is wrong with the list as a whole stands under its rows.
import { Button } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import type { ReactNode, Ref } from 'react';
import { Icon } from './icons.tsx';
import classes from './row-list.module.css';

type RowListProps = {
  /** As the service names it, such as `custom_data`. */
  field: string;
  hint: string | false;
  problem: string | undefined;
  /** What the button says. */
  action: string;
  onAdd: () => void;
  ref?: Ref<HTMLFieldSetElement>;
  children: ReactNode;
};

export const RowList = ({ field, hint, problem, action, onAdd, ref, children }: RowListProps) => (
  <fieldset className="plain" ref={ref}>
    <legend className={classes.legend}>{nameField(field)}</legend>
    {hint && <p className={classes.hint}>{hint}</p>}
    {children}
    {problem && <p className={classes.problem}>{problem}</p>}
    <Button mt={6} variant="default" leftSection={<Icon name="plus" size={14} />} onClick={onAdd}>
      {action}
    </Button>
  </fieldset>
);
