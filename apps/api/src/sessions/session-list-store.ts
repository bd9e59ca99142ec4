// Finds the sessions of the admin lists by their filters, and limits the bytes of a page. The SQL depends only on which
// filters are set.
import type { InstanceHealth, JoinStatus, Platform } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { Fill, SessionState } from './session.ts';
import { measureSession } from './session-resource.ts';

export type SessionFilter = {
  type?: string | undefined;
  platform?: Platform | undefined;
  playerUuid?: string | undefined;
  joinable?: boolean | undefined;
  /** `empty`: no taken or held seats; `open`: free slots, including empty sessions; `full`: no free slots. */
  fill?: 'empty' | 'open' | 'full' | undefined;
  joinStatus?: JoinStatus | undefined;
  instanceHealth?: InstanceHealth | undefined;
  createdFrom?: Date | undefined;
  /** Not included. */
  createdTo?: Date | undefined;
  /** Sessions that no player has joined or left since then. Before the first join, the creation counts. */
  idleSince?: Date | undefined;
  /** Whether a seated player is marked absent. */
  hasAbsent?: boolean | undefined;
  /** Ended sessions instead of live ones. */
  ended?: boolean | undefined;
};

/** What is stored for the values of the filter: an empty session is open as well. */
export const FILLS = {
  empty: ['empty'],
  open: ['empty', 'open'],
  full: ['full'],
} as const satisfies Record<string, readonly Fill[]>;

/** The last entry of a page. Neither part ever changes, so rows do not move under the cursor. */
export type ListPosition = { createdAt: Date; key: string };

type Statement = { text: string; values: unknown[] };
type Row = { session_key: string; created_at: Date };

/**
 * How many sessions one page may scan for filters that no index supports. A page that ends here has fewer rows than
 * requested, possibly none, and a position to continue from.
 */
export const MAX_SCANNED = 20_000;

export type SessionListStore = ReturnType<typeof createSessionListStore>;

export const createSessionListStore = (
  { pool, shards }: Pick<Database, 'pool' | 'shards'>,
  { maxScanned = MAX_SCANNED } = {},
) => {
  // Unnamed, so that they are planned for their values: a period or a player decides the best index.
  const run = async ({ text, values }: Statement): Promise<ListPosition[]> => {
    const rows = await runPrepared<Row>(pool, { name: '', text }, values);
    return rows.map((row) => ({ key: row.session_key, createdAt: row.created_at }));
  };

  /** The last session that a page has scanned; null when it has scanned all. */
  const findLastScanned = async (filter: SessionFilter, after: ListPosition | null) => {
    if (!isScanned(filter)) return null;
    const { values, bind } = bindValues();
    const candidates = selectCandidates(filter, after, bind);
    const text = `${candidates} ${NEWEST_FIRST} OFFSET ${bind(maxScanned - 1, 'int')} LIMIT 1`;
    const [last] = await run({ text, values });
    return last ?? null;
  };

  const find = async (filter: SessionFilter, after: ListPosition | null, limit: number) => {
    if (shards === 1) return listStatement(filter, after, limit, maxScanned);
    return listAcross(filter, { after, last: await findLastScanned(filter, after) }, limit);
  };

  return {
    /** Keys of sessions, newest first, after a position. */
    listKeys: async (
      filter: SessionFilter,
      after: ListPosition | null,
      limit: number,
    ): Promise<{ keys: string[]; next: ListPosition | null }> => {
      const found = await run(await find(filter, after, limit + 1));
      const page = found.slice(0, limit);
      const keys = page.map(({ key }) => key);
      if (found.length > limit) return { keys, next: page.at(-1) ?? null };
      return { keys, next: await findLastScanned(filter, after) };
    },

    /**
     * Counts up to `most`, and scans at most as many sessions as a page, since counting a long list would read all of
     * it. `isExact` is false when there may be more than `count`.
     */
    countSessions: async (filter: SessionFilter, most: number) => {
      const list = isScanned(filter)
        ? await find(filter, null, most + 1)
        : unorderedStatement(filter, most + 1);
      const text = `SELECT count(*)::int AS count FROM (${list.text}) found`;
      const [row] = await runPrepared<{ count: number }>(pool, { name: '', text }, list.values);
      const count = row?.count ?? 0;
      if (count > most) return { count: most, isExact: false };
      return { count, isExact: (await findLastScanned(filter, null)) === null };
    },
  };
};

/** A player has few seats, found by an index, so all their sessions are scanned. */
const isScanned = ({ playerUuid, ended, ...filter }: SessionFilter): boolean =>
  playerUuid === undefined &&
  (filter.platform !== undefined ||
    filter.joinable !== undefined ||
    filter.joinStatus !== undefined ||
    filter.instanceHealth !== undefined ||
    filter.idleSince !== undefined ||
    filter.hasAbsent !== undefined ||
    (ended === true && filter.fill !== undefined));

/** Two layers: a bounded scan of an index, and then the filters that inspect each session. */
export const listStatement = (
  filter: SessionFilter,
  after: ListPosition | null,
  limit: number,
  maxScanned: number,
): Statement => {
  const { values, bind } = bindValues();
  const candidates = selectCandidates(filter, after, bind);
  const most = isScanned(filter) ? maxScanned : limit;
  const bound = filter.playerUuid === undefined ? `LIMIT ${bind(most, 'int')}` : '';
  const text = `
    SELECT c.session_key, c.created_at FROM (${candidates} ${NEWEST_FIRST} ${bound}) c
    WHERE ${inspect(filter, bind).join(' AND ')}
    ORDER BY c.created_at DESC, c.session_key LIMIT ${bind(limit, 'int')}`;
  return { text, values };
};

/** For counts: an order would sort all sessions of a filter that has several ranges of an index. */
const unorderedStatement = (filter: SessionFilter, limit: number): Statement => {
  const { values, bind } = bindValues();
  const text = `${selectCandidates(filter, null, bind)} LIMIT ${bind(limit, 'int')}`;
  return { text, values };
};

/**
 * On Citus each node must inspect its own candidates, since those of all nodes cannot be inspected in one step. Each
 * node stops at the last session that the page may scan, which was looked up before.
 */
const listAcross = (
  filter: SessionFilter,
  { after, last }: { after: ListPosition | null; last: ListPosition | null },
  limit: number,
): Statement => {
  const { values, bind } = bindValues();
  const predicates = selectPredicates(filter, after, bind);
  if (last) {
    const at = bind(last.createdAt, 'timestamptz');
    const key = bind(last.key, 'uuid');
    predicates.push(`s.created_at >= ${at} AND (s.created_at > ${at} OR s.session_key <= ${key})`);
  }
  const mine =
    filter.playerUuid === undefined
      ? ''
      : `JOIN session_seat mine ON mine.session_key = s.session_key
          AND mine.player_uuid = ${bind(filter.playerUuid, 'uuid')}`;
  const inspected = inspect(filter, bind, 's');
  const text = `
    SELECT s.session_key, s.created_at FROM session s ${mine}
    WHERE ${[...predicates, ...inspected].join(' AND ')}
    ORDER BY s.created_at DESC, s.session_key LIMIT ${bind(limit, 'int')}`;
  return { text, values };
};

/** Collects the values of a composed statement; `bind` returns the parameter of a value. */
export const bindValues = () => {
  const values: unknown[] = [];
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  return { values, bind };
};
export type Bind = ReturnType<typeof bindValues>['bind'];

/** The literal predicate on ended_at makes the partial indexes usable. */
const selectPredicates = (
  { type, fill, createdFrom, createdTo, idleSince, ended }: SessionFilter,
  after: ListPosition | null,
  bind: Bind,
): string[] => {
  const predicates = [`s.ended_at IS ${ended ? 'NOT NULL' : 'NULL'}`];
  if (type !== undefined) predicates.push(`s.type = ${bind(type, 'text')}`);
  // Stored for live sessions only: the ones that had ended before it was stored have none.
  // Each value by itself, since an index has the order of one value only.
  if (fill && !ended) {
    predicates.push(`s.fill IN (${FILLS[fill].map((stored) => bind(stored, 'text')).join(', ')})`);
  }
  if (createdFrom) predicates.push(`s.created_at >= ${bind(createdFrom, 'timestamptz')}`);
  if (createdTo) predicates.push(`s.created_at < ${bind(createdTo, 'timestamptz')}`);
  // Follows from the condition on the last activity, and lets the index skip the newest sessions.
  if (idleSince) predicates.push(`s.created_at < ${bind(idleSince, 'timestamptz')}`);
  if (after) {
    const at = bind(after.createdAt, 'timestamptz');
    const key = bind(after.key, 'uuid');
    predicates.push(`s.created_at <= ${at} AND (s.created_at < ${at} OR s.session_key > ${key})`);
  }
  return predicates;
};

const selectCandidates = (
  filter: SessionFilter,
  after: ListPosition | null,
  bind: Bind,
): string => {
  const { playerUuid } = filter;
  const predicates = selectPredicates(filter, after, bind);
  // Sorted after the join, so that the planner does not scan the newest sessions for those of one player.
  const seats =
    playerUuid === undefined
      ? ''
      : `JOIN (SELECT p.session_key FROM session_seat p
          WHERE p.player_uuid = ${bind(playerUuid, 'uuid')} OFFSET 0) mine USING (session_key)`;
  return `SELECT session_key, s.created_at, s.last_activity_at, s.joinable, s.instance FROM session s ${seats}
    WHERE ${predicates.join(' AND ')}`;
};

const NEWEST_FIRST = 'ORDER BY s.created_at DESC, session_key';

/** Inspects the candidates `c` of one database, or the sessions `s` of a node on Citus. */
const inspect = (filter: SessionFilter, bind: Bind, session: 'c' | 's' = 'c'): string[] => {
  const { platform, joinable, fill, ended, joinStatus, instanceHealth } = filter;
  const { idleSince, hasAbsent } = filter;
  const predicates = ['true'];
  // OFFSET 0 makes the subquery probe the rows of one session; a join would read the whole table. Citus refuses it.
  const probe = (from: string): string =>
    `${from}.session_key = ${session}.session_key ${session === 'c' ? 'OFFSET 0' : ''}`;
  const equals = (column: string, value: unknown, type: string) =>
    predicates.push(`${session}.${column} = ${bind(value, type)}`);
  if (joinable !== undefined) equals('joinable', joinable, 'boolean');
  if (joinStatus) equals("instance ->> 'join_status'", joinStatus, 'text');
  if (instanceHealth) equals("instance ->> 'instance_health'", instanceHealth, 'text');
  if (idleSince) {
    const active = `COALESCE(${session}.last_activity_at, ${session}.created_at)`;
    predicates.push(`${active} < ${bind(idleSince, 'timestamptz')}`);
  }
  if (hasAbsent !== undefined) {
    const absent = `EXISTS (SELECT FROM session_seat a WHERE a.absent_since IS NOT NULL AND ${probe('a')})`;
    predicates.push(hasAbsent ? absent : `NOT ${absent}`);
  }
  if (platform) {
    const of = `x.platform = ${bind(platform, 'text')}`;
    predicates.push(
      `EXISTS (SELECT FROM session_platform_session x WHERE ${of} AND ${probe('x')})`,
    );
  }
  if (fill && ended) {
    const seats = `(SELECT count(*) FROM session_seat p WHERE ${probe('p')})`;
    const room = `(SELECT coalesce(sum(t.max_size), 0) FROM session_team t WHERE ${probe('t')})`;
    if (fill === 'empty') predicates.push(`${seats} = 0`);
    else predicates.push(`${seats} ${fill === 'open' ? '<' : '>='} ${room}`);
  }
  return predicates;
};

/** The bytes of a page, for any page size. The session that exceeds them is the last one. */
const PAGE_BYTES = 4 * 1_048_576;
/** The largest sessions fill a page with this many. Later reads use the average size to fit the rest of the page. */
const FIRST_READ = 16;

type ReadByKeys<Listed> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Listed>>;

/** The sessions of these keys in their order, as many as fit into a page. */
export const readWithinBytes = async <Listed extends { session: SessionState }>(
  keys: readonly string[],
  read: ReadByKeys<Listed>,
): Promise<{ sessions: Listed[]; isCut: boolean }> => {
  const sessions: Listed[] = [];
  let bytes = 0;
  let count = FIRST_READ;
  for (let at = 0; at < keys.length; ) {
    const wanted = keys.slice(at, at + count);
    at += wanted.length;
    const found = await read(wanted);
    for (const [index, key] of wanted.entries()) {
      const listed = found.get(key);
      if (!listed) continue;
      sessions.push(listed);
      bytes += measureSession(listed.session);
      const isCut = bytes >= PAGE_BYTES && at - wanted.length + index + 1 < keys.length;
      if (isCut) return { sessions, isCut };
    }
    const average = bytes / Math.max(1, sessions.length);
    count = Math.max(1, Math.floor((PAGE_BYTES - bytes) / Math.max(1, average)));
  }
  return { sessions, isCut: false };
};

/** All of these keys, with at most one page of large sessions in memory at a time. */
export async function* readInParts(
  read: ReadByKeys<SessionState>,
  keys: readonly string[],
): AsyncGenerator<SessionState> {
  for (let at = 0; at < keys.length; at += FIRST_READ) {
    const found = await read(keys.slice(at, at + FIRST_READ));
    yield* found.values();
  }
}
