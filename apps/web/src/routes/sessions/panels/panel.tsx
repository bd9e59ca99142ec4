import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useId } from 'react';
import classes from './panel.module.css';

type PanelProps = { title: string; action?: ReactNode; children: ReactNode };

/** A box beside the board. */
export const Panel = ({ title, action, children }: PanelProps) => {
  const heading = useId();
  return (
    <section className={classes.panel} aria-labelledby={heading}>
      <div className={classes.head}>
        <Title order={2} id={heading}>
          {title}
        </Title>
        {action}
      </div>
      {children}
    </section>
  );
};

/** Names with their values; what is undefined is left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={classes.facts}>
    {facts
      .filter(([, value]) => value !== undefined && value !== false && value !== '')
      .map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
