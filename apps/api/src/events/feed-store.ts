// Reads the outbox node by node: on Citus each node has transaction ids of its own.
import { randomUUID } from 'node:crypto';
import type { Database } from '@muster/database';
import { runAlone, runPrepared, shardOf } from '@muster/database';
import { lowestIdAt } from '../platform/index.ts';

export type FeedPosition = { transactionId: number; entryId: string };

/** An event as it is stored: JSON with times as strings. */
export type StoredEvent = {
  event_id: string;
  occurred_at: string;
  account_id: string;
  kind: string;
  /** The events of a catalogue have none of these three. */
  session_key?: string;
  type?: string;
  session_id?: string;
  session_version?: number | null;
  player_uuid?: string | null;
  detail?: Record<string, unknown> | null;
  sandbox_id?: string;
  change_set_id?: string;
  transaction_id?: string;
  items?: number;
  xp?: number;
  webhook_id?: string;
};

export type FeedEntry = FeedPosition & { events: StoredEvent[] };

export type FeedPart = {
  /** Names the server and its history of transactions. A position of another one means nothing here. */
  origin: string;
  /** The first transaction that may still be running: nothing from it on is in the entries. */
  horizon: number;
  entries: FeedEntry[];
  /** The id of the first entry that waits for the end of a running transaction; a UUID version 7. */
  waitingEntry: string | null;
};

/** Any number that is the same in every process. */
const RETENTION_LOCK = '725346081267';

/** Deletes only old entries among the first ones, so it stops at the first that is kept. */
const DELETE_ENTRIES = {
  name: 'delete_old_outbox_entries',
  text: `
    DELETE FROM event_outbox WHERE entry_id < $1::uuid AND (transaction_id, entry_id, subject_key) IN (
      SELECT transaction_id, entry_id, subject_key FROM event_outbox
      ORDER BY transaction_id, entry_id, subject_key LIMIT $2)
    RETURNING 1 AS deleted`,
};

const READ_OUTBOX = {
  name: 'read_outbox',
  text: 'SELECT * FROM read_outbox($1::uuid, $2::bigint, $3::uuid, $4::int)',
};

/** Rows that one statement of the preparation changes: millions of them take longer than a statement may. */
const PREPARED_ROWS = 5_000;

type Row = {
  origin: string;
  horizon: string | number;
  waiting_entry: string | null;
  transaction_id: string | number | null;
  entry_id: string | null;
  events: StoredEvent[] | null;
};

export type FeedStore = ReturnType<typeof createFeedStore>;

export const createFeedStore = ({
  pool,
  prisma,
  shardRanges,
}: Pick<Database, 'pool' | 'prisma' | 'shardRanges'>) => {
  const nodes = findNodes(shardRanges.event_outbox);
  return {
    /** The nodes that have entries, by their numbers; one where the database is not distributed. */
    nodes: [...nodes.keys()],

    /** At most `limit` entries of the node after the position, oldest first. */
    read: async (node: number, after: FeedPosition, limit: number): Promise<FeedPart> => {
      const values = [nodes.get(node), after.transactionId, after.entryId, limit];
      const rows = await runPrepared<Row>(pool, READ_OUTBOX, values);
      const [first] = rows;
      return {
        origin: first?.origin ?? '',
        horizon: Number(first?.horizon ?? 0),
        waitingEntry: first?.waiting_entry ?? null,
        entries: rows.flatMap(({ transaction_id: transactionId, entry_id: entryId, events }) =>
          transactionId === null || entryId === null || events === null
            ? []
            : { transactionId: Number(transactionId), entryId, events },
        ),
      };
    },

    /** Deletes entries from before a moment, at most `limit`. Returns their number. */
    deleteEntries: async (before: Date, limit: number): Promise<number> =>
      (await runPrepared(pool, DELETE_ENTRIES, [lowestIdAt(before), limit])).length,

    runAlone: (work: () => Promise<void>) => runAlone(pool, RETENTION_LOCK, work),

    /**
     * Empties the outbox when it comes from another server, as after a restore with pg_restore: its transaction ids mean
     * nothing here. Those of audit records become 0. Call it before the service writes.
     */
    prepare: async (origin: string): Promise<void> => {
      const [systemIdentifier = ''] = origin.split('-');
      // Several processes may start at once.
      await prisma.eventOutboxOrigin.createMany({
        data: { systemIdentifier },
        skipDuplicates: true,
      });
      while (!(await prepareSome(prisma, systemIdentifier)));
    },
  };
};

/** One short transaction. Returns true once nothing of another server is left. */
const prepareSome = (prisma: Database['prisma'], systemIdentifier: string): Promise<boolean> =>
  prisma.$transaction(async (transaction) => {
    const [stored] = await transaction.$queryRaw<{ systemIdentifier: string }[]>`
      SELECT system_identifier AS "systemIdentifier" FROM event_outbox_origin FOR UPDATE`;
    if (stored?.systemIdentifier === systemIdentifier) return true;
    const records = await transaction.$executeRaw`
      UPDATE audit_record SET transaction_id = 0 WHERE audit_id IN (
        SELECT audit_id FROM audit_record WHERE transaction_id > 0 LIMIT ${PREPARED_ROWS})`;
    if (records > 0) return false;
    const entries = await transaction.$executeRaw`
      DELETE FROM event_outbox WHERE (transaction_id, entry_id, subject_key) IN (
        SELECT transaction_id, entry_id, subject_key FROM event_outbox LIMIT ${PREPARED_ROWS})`;
    if (entries > 0) return false;
    await transaction.eventOutboxOrigin.updateMany({ data: { systemIdentifier } });
    return true;
  });

/** A UUID of a shard on each node, by the number of the node. */
export const findNodes = (ranges: Database['shardRanges'][string] = []): Map<number, string> => {
  const nodes = new Map<number, string>();
  const numbers = new Set(ranges.map(({ node }) => node));
  while (nodes.size < Math.max(1, numbers.size)) {
    const key = randomUUID();
    const node = ranges[shardOf(key, ranges)]?.node ?? 0;
    if (!nodes.has(node)) nodes.set(node, key);
  }
  return nodes;
};
