// Finds records, sessions and players by ids or parts of names. Each query reads a bounded number of rows.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import { foldName, toContainsPattern } from '../records/record.ts';
import { hasSandbox } from '../records/record-store.ts';

export type FoundRecord = {
  kind: 'item' | 'xp';
  record_id: string;
  name: string;
  sandbox_id: string;
};
export type FoundSession = { type: string; session_id: string };
export type FoundPlayer = { player_uuid: string; display_name?: string; player_id?: number };

/** A query in the forms in which it may match an id or a name. */
export type SearchTerm = {
  text: string;
  /** Set when the text is a UUID, in lower case. */
  uuid: string | null;
  /** Set when the text is a safe integer. */
  integer: number | null;
};

export type SearchStore = {
  /** By id or legacy id, including deleted ones, or by a part of the current name; names that begin with it come first. */
  findRecords(
    term: SearchTerm,
    sandboxIds: readonly string[],
    limit: number,
  ): Promise<FoundRecord[]>;
  /** Neither archived nor deleted ones; restricted to these, when given. */
  listActiveSandboxIds(ids?: readonly string[]): Promise<string[]>;
  /** False for a deleted one. */
  hasSandbox(sandboxId: string): Promise<boolean>;
  /** Live sessions whose id begins with the text, shortest id first. */
  findSessions(term: SearchTerm, limit: number): Promise<FoundSession[]>;
  /** By UUID, legacy id, or a part of the display name. */
  findPlayers(term: SearchTerm, limit: number): Promise<FoundPlayer[]>;
};

export const createSearchStore = ({
  pool,
  prisma,
}: Pick<Database, 'pool' | 'prisma'>): SearchStore => {
  /** Planned for its values: only they show whether an index helps for the pattern. */
  const run = <Row>(text: string, values: unknown[]) =>
    runPrepared<Row>(pool, { name: '', text }, values);
  return {
    async findRecords({ text, uuid, integer }, sandboxIds, limit) {
      const folded = foldName(text);
      const values = [sandboxIds, uuid, integer, toContainsPattern(folded), folded, limit];
      return run<FoundRecord>(FIND_RECORDS, values);
    },

    async listActiveSandboxIds(ids) {
      const rows = await prisma.sandbox.findMany({
        where: { archivedAt: null, deletedAt: null, ...(ids && { sandboxId: { in: [...ids] } }) },
        select: { sandboxId: true },
        orderBy: { sandboxId: 'asc' },
        take: MAX_SANDBOXES,
      });
      return rows.map(({ sandboxId }) => sandboxId);
    },

    hasSandbox: (sandboxId) => hasSandbox(prisma, sandboxId),

    findSessions: ({ text }, limit) =>
      run<FoundSession>(FIND_SESSIONS, [`${escapePattern(text)}%`, limit]),

    async findPlayers({ text, uuid, integer }, limit) {
      const values = [uuid, integer, `%${escapePattern(text)}%`, limit];
      const rows = await run<PlayerRow>(FIND_PLAYERS, values);
      return rows.map(({ player_uuid, display_name, player_id }) => ({
        player_uuid,
        ...(display_name !== null && { display_name }),
        ...(player_id !== null && { player_id }),
      }));
    },
  };
};

type PlayerRow = { player_uuid: string; display_name: string | null; player_id: number | null };

const escapePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const MAX_SANDBOXES = 1_000;

/**
 * $1 sandboxes, $2 UUID, $3 integer, $4 pattern, $5 folded text, $6 limit. Matches of a very common name are limited
 * before they are sorted: a fast response matters more than which of them are shown.
 */
const FIND_RECORDS = `WITH named AS (
  SELECT n.sandbox_id, n.kind, n.record_id FROM catalogue_name n
  WHERE n.sandbox_id = ANY ($1::uuid[]) AND n.folded_name LIKE $4::text LIMIT 500
), found AS (
  SELECT 0 AS rank, sandbox_id, kind, record_id FROM catalogue_record
  WHERE sandbox_id = ANY ($1::uuid[]) AND kind IN ('item', 'xp') AND record_id = $2::uuid
  UNION
  SELECT 1, sandbox_id, kind, record_id FROM catalogue_record
  WHERE sandbox_id = ANY ($1::uuid[]) AND kind IN ('item', 'xp') AND legacy_id = $3::bigint
  UNION
  SELECT 2, sandbox_id, kind, record_id FROM named
)
SELECT r.kind, r.record_id, r.name, r.sandbox_id
FROM found JOIN catalogue_record r USING (sandbox_id, kind, record_id)
WHERE found.rank < 2 OR (NOT r.deleted AND r.folded_name LIKE $4::text)
GROUP BY r.kind, r.record_id, r.name, r.folded_name, r.sandbox_id
ORDER BY min(found.rank), NOT starts_with(r.folded_name, $5::text), length(r.name), r.folded_name, r.record_id
LIMIT $6::int`;

/** $1 pattern, $2 limit. */
const FIND_SESSIONS = `SELECT type, session_id FROM (
  SELECT type, session_id FROM session WHERE session_id LIKE $1::text AND ended_at IS NULL LIMIT 200
) s ORDER BY length(session_id), session_id, type LIMIT $2::int`;

/** $1 UUID, $2 integer, $3 pattern, $4 limit. */
const FIND_PLAYERS = `WITH found AS (
  SELECT 0 AS rank, player_uuid FROM player WHERE player_uuid = $1::uuid
  UNION ALL
  SELECT 1, player_uuid FROM player_legacy_id WHERE player_id = $2::bigint
  UNION ALL
  (SELECT 2, player_uuid FROM player WHERE display_name ILIKE $3::text LIMIT 200)
)
SELECT p.player_uuid, p.display_name, l.player_id
FROM found JOIN player p USING (player_uuid) LEFT JOIN player_legacy_id l USING (player_uuid)
GROUP BY p.player_uuid, p.display_name, l.player_id
ORDER BY min(found.rank), length(p.display_name), p.display_name, p.player_uuid
LIMIT $4::int`;
