// The statements of the kept metrics. Minutes are counted since 1970.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { Counts } from './activity-counter.ts';
import { MINUTE_MS } from './activity-counter.ts';

export type IntervalSums = { counts: Counts; gauges: Counts };

export type MetricHistoryStore = ReturnType<typeof createMetricHistoryStore>;

export const createMetricHistoryStore = ({ pool }: Pick<Database, 'pool'>) => ({
  /** Adds to the counts of a minute. */
  async add(minute: number, counts: Counts): Promise<void> {
    await runPrepared(pool, ADD, [toDate(minute), JSON.stringify(counts)]);
  },

  /** Returns true for one caller only, which then measures the gauges of the minute. */
  async claimGauges(minute: number): Promise<boolean> {
    return (await runPrepared(pool, CLAIM_GAUGES, [toDate(minute)])).length > 0;
  },

  async setGauges(minute: number, gauges: Counts): Promise<void> {
    await runPrepared(pool, SET_GAUGES, [toDate(minute), JSON.stringify(gauges)]);
  },

  /** Sums of the counts and means of the gauges, from `from` until before `until`, for each interval. */
  async read(from: number, until: number, step: number): Promise<IntervalSums[]> {
    const values = [toDate(from), toDate(until), step];
    const [counts, gauges] = await Promise.all(
      [SUM_COUNTS, AVERAGE_GAUGES].map(async (statement) => {
        const rows = await runPrepared<IntervalRow>(pool, statement, values);
        return new Map(rows.map(({ interval, named }) => [interval, named]));
      }),
    );
    return Array.from({ length: (until - from) / step }, (_, interval) => ({
      counts: counts?.get(interval) ?? {},
      gauges: gauges?.get(interval) ?? {},
    }));
  },

  /** What the gauges show of sessions. */
  async countPlayers(): Promise<{ live_sessions: number; seated_players: number }> {
    const [row] = await runPrepared<{ live_sessions: number; seated_players: number }>(
      pool,
      COUNT_PLAYERS,
      [],
    );
    return row ?? { live_sessions: 0, seated_players: 0 };
  },
});

type IntervalRow = { interval: number; named: Counts };

const toDate = (minute: number): Date => new Date(minute * MINUTE_MS);

const ADD = {
  name: 'add_metric_minute',
  text: `
    INSERT INTO metric_minute AS m (minute, counts) VALUES ($1::timestamptz, $2::jsonb)
    ON CONFLICT (minute) DO UPDATE SET counts = (
      SELECT COALESCE(jsonb_object_agg(name, total), '{}') FROM (
        SELECT c.key AS name, sum(c.value::numeric) AS total FROM (
          SELECT * FROM jsonb_each_text(m.counts) UNION ALL SELECT * FROM jsonb_each_text(excluded.counts)
        ) c GROUP BY c.key
      ) summed)`,
};

const CLAIM_GAUGES = {
  name: 'claim_metric_gauges',
  text: `UPDATE metric_minute SET gauges = '{}' WHERE minute = $1::timestamptz AND gauges IS NULL RETURNING 1 AS claimed`,
};

const SET_GAUGES = {
  name: 'set_metric_gauges',
  text: 'UPDATE metric_minute SET gauges = $2::jsonb WHERE minute = $1::timestamptz',
};

/** Combines the numbers of a JSON column by name. Intervals are numbered from 0. */
const combine = (column: 'counts' | 'gauges', aggregate: 'sum' | 'avg') => ({
  name: `${aggregate}_metric_${column}`,
  text: `
    SELECT interval, jsonb_object_agg(name, value) AS named FROM (
      SELECT floor(extract(epoch FROM m.minute - $1::timestamptz) / 60 / $3::int)::int AS interval, e.key AS name,
        ${aggregate}(e.value::numeric)::double precision AS value
      FROM metric_minute m, jsonb_each_text(m.${column}) e
      WHERE m.minute >= $1::timestamptz AND m.minute < $2::timestamptz GROUP BY interval, e.key
    ) combined GROUP BY interval`,
});
const SUM_COUNTS = combine('counts', 'sum');
const AVERAGE_GAUGES = combine('gauges', 'avg');

const COUNT_PLAYERS = {
  name: 'count_live_sessions_and_players',
  text: `
    SELECT count(*)::int AS live_sessions, COALESCE(sum(players), 0)::int AS seated_players FROM (
      SELECT s.session_key, count(p.player_uuid) AS players
      FROM session s LEFT JOIN session_seat p ON p.session_key = s.session_key AND p.joined_at IS NOT NULL
      WHERE s.ended_at IS NULL GROUP BY s.session_key
    ) live`,
};
