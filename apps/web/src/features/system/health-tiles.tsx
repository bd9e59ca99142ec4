// The current values of the service, each judged by its threshold.
import { useQuery } from '@tanstack/react-query';
import { Tag } from '../../ui/facts.tsx';
import { LoadingState } from '../../ui/states.tsx';
import { healthOptions } from './health-query.ts';
import classes from './health-tiles.module.css';
import type { Reading } from './thresholds.ts';
import { JUDGED_MINUTES, judge } from './thresholds.ts';

const LEVELS = {
  ok: { tone: 'good', text: 'OK' },
  warning: { tone: 'warn', text: 'Warning' },
  critical: { tone: 'bad', text: 'Critical' },
  unknown: { tone: 'neutral', text: 'Not enough data' },
} as const;

/** An error is shown by the charts, which read the same data. */
export const HealthTiles = () => {
  const { data, error } = useQuery(healthOptions);
  if (error && !data) return null;
  if (!data) return <LoadingState lines={3} />;
  return (
    <section aria-label={`The last ${JUDGED_MINUTES} minutes`}>
      <dl className={classes.tiles}>
        {judge(data.points).map((reading) => (
          <Tile key={reading.label} reading={reading} />
        ))}
      </dl>
      <p className="hint">
        All processes together, in the last {JUDGED_MINUTES} complete minutes. Percentages and the
        response time need at least 100 requests or joins.
      </p>
    </section>
  );
};

const Tile = ({ reading: { label, value, level, limits } }: { reading: Reading }) => (
  <div className={classes.tile} data-level={level}>
    <dt>{label}</dt>
    <dd className={classes.value}>
      <span className="numbers">{value ?? '–'}</span>
      <Tag tone={LEVELS[level].tone}>{LEVELS[level].text}</Tag>
    </dd>
    <dd className="hint">{limits}</dd>
  </div>
);
