import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'production';

/** A tag for a state. One that lacks room ends with an ellipsis. Replaces Mantine's Badge, whose contrast is too low. */
export const Tag = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={classes.tag}
    data-tone={tone}
    title={typeof children === 'string' ? children : undefined}
  >
    {children}
  </span>
);

type FactsProps = {
  /** Entries without a value are left out. */
  facts: Readonly<Record<string, ReactNode>>;
  /** Side by side instead of stacked. */
  className?: string;
};

/** A list of names and values. */
export const Facts = ({ facts, className = classes.facts }: FactsProps) => (
  <dl className={className}>
    {Object.entries(facts)
      .filter(([, value]) => value !== undefined && value !== false && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
