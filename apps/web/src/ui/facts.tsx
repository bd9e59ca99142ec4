import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'production';

/** A word about a state. Instead of Mantine's Badge, whose tones are too faint to read. */
export const Tag = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
);

/** Names with their values, one under the other. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={classes.facts}>
    {facts.map(([name, value]) => (
      <div key={name} className={classes.fact}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
