import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApiOutputs } from '../../api/trpc.ts';
import classes from './counts.module.css';

type Overview = ApiOutputs['overview']['get'];

const numbers = new Intl.NumberFormat('en');

/** The figures of a sandbox, each a way to what it counts. */
export const Counts = ({ sandbox, overview }: { sandbox: string; overview: Overview }) => {
  const { counts, head_seq, live_sessions, health } = overview;
  const params = { sandbox };
  return (
    <dl className={classes.counts}>
      <Count label="Items" value={counts.items}>
        <Link to="/s/$sandbox/items" params={params}>
          All Items
        </Link>
      </Count>
      <Count label="Xp tables" value={counts.xp}>
        <Link to="/s/$sandbox/xp" params={params}>
          All Xp tables
        </Link>
      </Count>
      <Count label="In the trash" value={counts.deleted}>
        <Link to="/s/$sandbox/trash" params={params}>
          Trash
        </Link>
      </Count>
      <Count label="Versions" value={head_seq}>
        <Link to="/s/$sandbox/history" params={params}>
          History
        </Link>
      </Count>
      {live_sessions !== undefined && (
        <Count label="Live sessions" value={live_sessions}>
          <Link to="/sessions">Sessions</Link>
        </Count>
      )}
      <Count label="Database answers" value={Math.max(1, Math.round(health.database_ms))} unit="ms">
        <span className={classes.note}>{health.database_ms < 250 ? 'healthy' : 'slow'}</span>
      </Count>
    </dl>
  );
};

type CountProps = { label: string; value: number; unit?: string; children: ReactNode };

const Count = ({ label, value, unit, children }: CountProps) => (
  <div className={classes.count}>
    <dt>{label}</dt>
    <dd className="numbers">
      {numbers.format(value)}
      {unit && <span className={classes.unit}> {unit}</span>}
    </dd>
    <dd className={classes.link}>{children}</dd>
  </div>
);
