// Refused joins: written in batches, found by player, platform session and time, newest first.
import { hash } from 'node:crypto';
import { canonicalPlatformSessionId } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared, shardOf } from '@muster/database';
import { lowestIdAt } from '../platform/index.ts';
import { bindValues } from './session-list-store.ts';

/** Rows that are stored for a player and hour, over all processes. The others are counted. */
const MAX_ROWS_PER_HOUR = 20;

/** Has the refusals of accounts that are no player and may not act for one. */
export const NO_PLAYER = '00000000-0000-0000-0000-000000000000';

/** A row of `refused_join` without what the statement computes. */
export type RefusedJoinRow = {
  player_uuid: string;
  hour: Date;
  refusal_id: string;
  refused_at: Date;
  account_id: string;
  named_player: string | null;
  platform: string;
  platform_session_id_base64: string;
  platform_session_digest: string;
  type: string | null;
  session_id: string | null;
  error_code: string;
  sentence: string;
  request_id: string;
};

export type ListedRefusedJoin = Omit<RefusedJoinRow, 'hour' | 'platform_session_digest'> & {
  /** Refusals of the player in the rest of the hour, which have no rows. */
  further: number;
};

type RefusedJoinFilter = {
  playerUuid?: string | undefined;
  platform?: string | undefined;
  /** In any spelling. */
  platformSessionId?: string | undefined;
  errorCode?: string | undefined;
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
};

/** How many rows one page may scan for a platform or an error code. A page that ends here may be short and have a cursor. */
const MAX_SCANNED = 20_000;

export type RefusedJoinStore = ReturnType<typeof createRefusedJoinStore>;

export const createRefusedJoinStore = (
  { pool, shardRanges }: Pick<Database, 'pool' | 'shardRanges'>,
  { maxScanned = MAX_SCANNED } = {},
) => {
  /** Unnamed, so that they are planned for their values: a player, a platform session or a period decides the index. */
  const run = <Row>(text: string, values: unknown[]) =>
    runPrepared<Row>(pool, { name: '', text }, values);

  /** The last row that a page has scanned; null when it has scanned all. */
  const findLastScanned = async (filter: RefusedJoinFilter, after: string | null) => {
    const { values, bind } = bindValues();
    const text = `
      SELECT r.refusal_id FROM refused_join r WHERE ${indexed(filter, after, bind)}
      ORDER BY r.refusal_id DESC OFFSET ${bind(maxScanned - 1, 'int')} LIMIT 1`;
    const [last] = await run<{ refusal_id: string }>(text, values);
    return last?.refusal_id ?? null;
  };

  return {
    /** One statement has the rows of one shard. */
    groupOf: ({ player_uuid }: RefusedJoinRow): number =>
      shardOf(player_uuid, shardRanges.refused_join),

    record: async (rows: readonly RefusedJoinRow[]): Promise<void> => {
      await runPrepared(pool, RECORD_REFUSED_JOINS, toRecordValues(rows));
    },

    /** A page after a refusal, and the refusal to continue after; null at the end. */
    list: async (filter: RefusedJoinFilter, after: string | null, limit: number) => {
      const { values, bind } = bindValues();
      const text = `
        SELECT ${COLUMNS} FROM (
          SELECT r.* FROM refused_join r WHERE ${indexed(filter, after, bind)}
          ORDER BY r.refusal_id DESC LIMIT ${bind(maxScanned, 'int')}) w
        WHERE ${scanned(filter, bind)}
        ORDER BY w.refusal_id DESC LIMIT ${bind(limit + 1, 'int')}`;
      const found = await run<ListedRefusedJoin>(text, values);
      const rows = found.slice(0, limit);
      if (found.length > limit) return { rows, next: rows.at(-1)?.refusal_id ?? null };
      return { rows, next: await findLastScanned(filter, after) };
    },
  };
};

/** The same for all four spellings of an id. */
export const digestPlatformSessionId = (id: string): string =>
  hash('sha256', canonicalPlatformSessionId(id.toWellFormed()), 'hex');

export const RECORD_REFUSED_JOINS = {
  name: 'record_refused_joins',
  text: 'SELECT record_refused_joins($1::uuid, $2::json, $3::int)',
};

export const toRecordValues = (rows: readonly RefusedJoinRow[]) => [
  rows[0]?.player_uuid,
  JSON.stringify(rows),
  MAX_ROWS_PER_HOUR,
];

const COLUMNS = `w.player_uuid, w.refusal_id, w.refused_at, w.account_id, w.named_player, w.platform,
  w.platform_session_id_base64, w.type, w.session_id, w.error_code, w.sentence, w.request_id,
  CASE WHEN w.number = ${MAX_ROWS_PER_HOUR} THEN w.refused - w.number ELSE 0 END AS further`;

type Bind = ReturnType<typeof bindValues>['bind'];

/** The conditions that an index serves. */
const indexed = (filter: RefusedJoinFilter, after: string | null, bind: Bind): string => {
  const { playerUuid, platformSessionId, from, to } = filter;
  const conditions = ['true'];
  if (playerUuid !== undefined) conditions.push(`r.player_uuid = ${bind(playerUuid, 'uuid')}`);
  if (platformSessionId !== undefined) {
    const digest = Buffer.from(digestPlatformSessionId(platformSessionId), 'hex');
    conditions.push(`r.platform_session_digest = ${bind(digest, 'bytea')}`);
  }
  if (from) conditions.push(`r.refusal_id >= ${bind(lowestIdAt(from), 'uuid')}`);
  if (to) conditions.push(`r.refusal_id < ${bind(lowestIdAt(to), 'uuid')}`);
  if (after !== null) conditions.push(`r.refusal_id < ${bind(after, 'uuid')}`);
  return conditions.join(' AND ');
};

const scanned = ({ platform, errorCode }: RefusedJoinFilter, bind: Bind): string => {
  const conditions = ['true'];
  if (platform !== undefined) conditions.push(`w.platform = ${bind(platform, 'text')}`);
  if (errorCode !== undefined) conditions.push(`w.error_code = ${bind(errorCode, 'text')}`);
  return conditions.join(' AND ');
};
