import { Skeleton, VisuallyHidden } from '@mantine/core';
import classes from './states.module.css';

/** Grey lines where content will be. Screen readers hear one word. */
export const LoadingState = ({ lines = 8 }: { lines?: number }) => (
  <div className={classes.loading} role="status">
    <VisuallyHidden>Loading …</VisuallyHidden>
    {Array.from({ length: lines }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move.
      <Skeleton key={index} height={14} width={`${92 - ((index * 37) % 40)}%`} />
    ))}
  </div>
);
