import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'production';

/** A word about a state. Instead of Mantine's Badge, whose tones are too faint to read. */
export const Tag = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
);

type FactsProps = {
  /** What has no value is left out. */
  facts: Readonly<Record<string, ReactNode>>;
  /** Instead of one under the other. */
  className?: string;
};

/** Names with their values. */
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
