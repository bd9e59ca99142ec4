import type { ReactNode } from 'react';
import classes from './states.module.css';

type EmptyStateProps = {
  title: string;
  /** One sentence on what would be here, and the action that brings it. */
  children?: ReactNode;
};

/** There is nothing, and no filter is to blame. */
export const EmptyState = ({ title, children }: EmptyStateProps) => (
  <div className={classes.state}>
    <p className={classes.title}>{title}</p>
    {children && <div className={classes.text}>{children}</div>}
  </div>
);
