// One tooltip for every element with `data-hint`. A table shows dozens of times and ids: a tooltip of its own for
// each of them took half of the time in which the table was drawn.
import { Tooltip } from '@mantine/core';
import { useEffect } from 'react';
import { useHinted } from './use-hinted.ts';

const HINT_ID = 'hint';

/** Once, around everything. Elements that only their hint explains to the keyboard need `tabIndex={0}`. */
export const HintLayer = () => {
  const hinted = useHinted();
  const element = hinted?.element;
  useEffect(() => {
    element?.setAttribute('aria-describedby', HINT_ID);
    return () => element?.removeAttribute('aria-describedby');
  }, [element]);
  if (!hinted) return null;
  return (
    <Tooltip
      key={hinted.turn}
      target={hinted.element}
      opened
      label={<span id={HINT_ID}>{hinted.text}</span>}
      transitionProps={{ duration: 0 }}
    />
  );
};
