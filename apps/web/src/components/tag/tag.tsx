import type { ReactNode } from 'react';
import classes from './tag.module.css';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'production';

/** A word about a state. Instead of Mantine's Badge, whose tones are too faint to read. */
export const Tag = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
);
