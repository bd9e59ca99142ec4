// Finds the sessions of the admin lists by their filters. The SQL varies only by which filters are set.
import type { InstanceHealth, JoinStatus, Platform } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

export type SessionFilter = {
  type?: string | undefined;
  platform?: Platform | undefined;
  playerUuid?: string | undefined;
  joinable?: boolean | undefined;
  /** `empty`: no seat is taken or held; `open`: there is room, empty ones included; `full`: there is none. */
  fill?: 'empty' | 'open' | 'full' | undefined;
  joinStatus?: JoinStatus | undefined;
  instanceHealth?: InstanceHealth | undefined;
  createdFrom?: Date | undefined;
  /** Not included. */
  createdTo?: Date | undefined;
  /** Sessions that have ended, instead of live ones. */
  ended?: boolean | undefined;
};

/** Where a page ended. Neither part ever changes, so rows do not move under the cursor. */
export type ListPosition = { createdAt: Date; key: string };

export type KeyPage = { keys: string[]; next: ListPosition | null };

/** `isExact` is false where there may be more than `count`. */
export type BoundedCount = { count: number; isExact: boolean };

type Statement = { text: string; values: unknown[] };
type Row = { session_key: string; created_at: Date };

/**
 * How many sessions one page may scan for filters that no index answers. A page that ends here holds
 * fewer rows than requested, maybe none, and a position to continue from.
 */
export const MAX_SCANNED = 20_000;

export type SessionListStore = ReturnType<typeof createSessionListStore>;

export const createSessionListStore = (
  { pool }: Pick<Database, 'pool'>,
  { maxScanned = MAX_SCANNED } = {},
) => {
  // Unnamed, they are planned for their values: a period or a player decides which index is right.
  const run = ({ text, values }: Statement) =>
    runPrepared<Row>(pool, { name: '', text }, values).then((rows) => rows.map(toPosition));

  return {
    /** Keys of sessions, newest first, after a position. */
    listKeys: async (
      filter: SessionFilter,
      after: ListPosition | null,
      limit: number,
    ): Promise<KeyPage> => {
      const found = await run(listStatement(filter, after, limit + 1, maxScanned));
      const page = found.slice(0, limit);
      const keys = page.map(({ key }) => key);
      if (found.length > limit) return { keys, next: page.at(-1) ?? null };
      if (!isScanned(filter)) return { keys, next: null };
      const [last] = await run(lastScannedStatement(filter, after, maxScanned));
      return { keys, next: last ?? null };
    },

    /** Within the bounds of one page, since counting a long list means reading all of it. */
    countSessions: async (filter: SessionFilter, most: number): Promise<BoundedCount> => {
      const list = listStatement(filter, null, most + 1, maxScanned);
      const text = `SELECT count(*)::int AS count FROM (${list.text}) found`;
      const [row] = await runPrepared<{ count: number }>(pool, { name: '', text }, list.values);
      const count = row?.count ?? 0;
      if (count > most) return { count: most, isExact: false };
      const [unseen] = isScanned(filter)
        ? await run(lastScannedStatement(filter, null, maxScanned))
        : [];
      return { count, isExact: unseen === undefined };
    },
  };
};

const toPosition = (row: Row): ListPosition => ({
  key: row.session_key,
  createdAt: row.created_at,
});

/** A player has few seats, found by an index: their sessions are all scanned. */
const isScanned = (filter: SessionFilter): boolean =>
  filter.playerUuid === undefined &&
  [filter.platform, filter.joinable, filter.fill, filter.joinStatus, filter.instanceHealth].some(
    (value) => value !== undefined,
  );

/** Two layers: what the indexes answer, bounded, and then the filters that inspect each session. */
export const listStatement = (
  filter: SessionFilter,
  after: ListPosition | null,
  limit: number,
  maxScanned: number,
): Statement => {
  const { values, bind } = bindValues();
  const candidates = selectCandidates(filter, after, bind);
  const isOfPlayer = filter.playerUuid !== undefined;
  const mostCandidates = isScanned(filter) ? maxScanned : limit;
  const bound = isOfPlayer ? '' : `LIMIT ${bind(mostCandidates, 'int')}`;
  const text = `
    SELECT c.session_key, c.created_at FROM (${candidates} ${bound}) c
    WHERE ${inspect(filter, bind).join(' AND ')}
    ORDER BY c.created_at DESC, c.session_key LIMIT ${bind(limit, 'int')}`;
  return { text, values };
};

/** The last session that a page has scanned; no row when it has scanned all. */
const lastScannedStatement = (
  filter: SessionFilter,
  after: ListPosition | null,
  maxScanned: number,
): Statement => {
  const { values, bind } = bindValues();
  const text = `${selectCandidates(filter, after, bind)} OFFSET ${bind(maxScanned - 1, 'int')} LIMIT 1`;
  return { text, values };
};

const bindValues = () => {
  const values: unknown[] = [];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  return { values, bind };
};
type Bind = ReturnType<typeof bindValues>['bind'];

/** The literal predicate on ended_at is what lets the partial indexes serve. */
const selectCandidates = (
  { type, playerUuid, createdFrom, createdTo, ended }: SessionFilter,
  after: ListPosition | null,
  bind: Bind,
): string => {
  const predicates = [`s.ended_at IS ${ended ? 'NOT NULL' : 'NULL'}`];
  if (type !== undefined) predicates.push(`s.type = ${bind(type, 'text')}`);
  if (createdFrom) predicates.push(`s.created_at >= ${bind(createdFrom, 'timestamptz')}`);
  if (createdTo) predicates.push(`s.created_at < ${bind(createdTo, 'timestamptz')}`);
  if (after) {
    const at = bind(after.createdAt, 'timestamptz');
    const key = bind(after.key, 'uuid');
    predicates.push(`s.created_at <= ${at} AND (s.created_at < ${at} OR s.session_key > ${key})`);
  }
  // Sorted after the join, so that the planner does not scan the newest sessions for those of one player.
  const seats =
    playerUuid === undefined
      ? ''
      : `JOIN (SELECT p.session_key FROM session_seat p
          WHERE p.player_uuid = ${bind(playerUuid, 'uuid')} OFFSET 0) mine USING (session_key)`;
  return `SELECT session_key, s.created_at, s.joinable, s.instance FROM session s ${seats}
    WHERE ${predicates.join(' AND ')} ORDER BY s.created_at DESC, session_key`;
};

/** OFFSET 0 keeps each subquery a probe of one session's rows: as a join it would read the whole table. */
const SEATS = `(SELECT count(*) FROM session_seat p WHERE p.session_key = c.session_key OFFSET 0)`;
const CAPACITY = `(SELECT coalesce(sum(t.max_size), 0) FROM session_team t
  WHERE t.session_key = c.session_key OFFSET 0)`;
const FILLS = {
  empty: `NOT EXISTS (SELECT FROM session_seat p WHERE p.session_key = c.session_key OFFSET 0)`,
  open: `${SEATS} < ${CAPACITY}`,
  full: `${SEATS} >= ${CAPACITY}`,
} as const;

const inspect = (
  { platform, joinable, fill, joinStatus, instanceHealth }: SessionFilter,
  bind: Bind,
): string[] => {
  const predicates = ['true'];
  if (joinable !== undefined) predicates.push(`c.joinable = ${bind(joinable, 'boolean')}`);
  if (joinStatus) predicates.push(`c.instance ->> 'join_status' = ${bind(joinStatus, 'text')}`);
  if (instanceHealth) {
    predicates.push(`c.instance ->> 'instance_health' = ${bind(instanceHealth, 'text')}`);
  }
  if (platform) {
    predicates.push(`EXISTS (SELECT FROM session_platform_session x
      WHERE x.session_key = c.session_key AND x.platform = ${bind(platform, 'text')} OFFSET 0)`);
  }
  if (fill) predicates.push(FILLS[fill]);
  return predicates;
};
