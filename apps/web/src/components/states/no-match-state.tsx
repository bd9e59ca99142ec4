import { Button } from '@mantine/core';
import classes from './states.module.css';

/** There is something, but the filters let nothing through. */
export const NoMatchState = ({ onClear }: { onClear: () => void }) => (
  <div className={classes.state}>
    <p className={classes.title}>Nothing matches these filters</p>
    <Button variant="default" onClick={onClear}>
      Clear filters
    </Button>
  </div>
);
