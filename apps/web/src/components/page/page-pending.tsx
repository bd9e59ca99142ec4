import { LoadingState } from '../states/loading-state.tsx';
import classes from './page.module.css';

export const PagePending = () => (
  <div className={classes.page}>
    <LoadingState />
  </div>
);
