// Reads audit records in the order in which they became visible, node by node: on Citus each node has transaction ids of its own.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import { findNodes } from '../events/index.ts';
import type { AuditRow } from './audit-list-store.ts';
import { AUDIT_COLUMNS } from './audit-list-store.ts';

export type AuditExportPosition = { transactionId: number; auditId: string };

export type AuditExportPart = {
  /** Names the server and its history of transactions. A position of another one means nothing here. */
  origin: string;
  /** The first transaction that may still be running: no record from it on is in the entries. */
  horizon: number;
  entries: (AuditExportPosition & { bytes: number })[];
};

const READ_AUDIT = {
  name: 'read_audit',
  text: 'SELECT * FROM read_audit($1::uuid, $2::bigint, $3::uuid, $4::uuid, $5::int)',
};

const FIND_RECORDS = {
  name: 'audit_find_many',
  text: `SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE audit_id = ANY ($1::uuid[])`,
};

type Row = {
  origin: string;
  horizon: string;
  transaction_id: string | null;
  audit_id: string | null;
  bytes: number | null;
};

export type AuditExportStore = ReturnType<typeof createAuditExportStore>;

export const createAuditExportStore = ({
  pool,
  shardRanges,
}: Pick<Database, 'pool' | 'shardRanges'>) => {
  const nodes = findNodes(shardRanges.audit_record);
  return {
    /** The nodes that have records, by their numbers; one where the database is not distributed. */
    nodes: [...nodes.keys()],

    /** At most `limit` records of the node after the position, oldest first, none with an id below `earliest`. */
    read: async (
      node: number,
      after: AuditExportPosition,
      earliest: string,
      limit: number,
    ): Promise<AuditExportPart> => {
      const values = [nodes.get(node), after.transactionId, after.auditId, earliest, limit];
      const rows = await runPrepared<Row>(pool, READ_AUDIT, values);
      const [first] = rows;
      return {
        origin: first?.origin ?? '',
        horizon: Number(first?.horizon ?? 0),
        entries: rows.flatMap(({ transaction_id: transactionId, audit_id: auditId, bytes }) =>
          transactionId === null || auditId === null
            ? []
            : { transactionId: Number(transactionId), auditId, bytes: bytes ?? 0 },
        ),
      };
    },

    /** In the order of the ids. Leaves out records that have been deleted. */
    find: async (auditIds: readonly string[]): Promise<AuditRow[]> => {
      if (auditIds.length === 0) return [];
      const rows = await runPrepared<AuditRow>(pool, FIND_RECORDS, [auditIds]);
      const byId = new Map(rows.map((row) => [row.auditId, row]));
      return auditIds.flatMap((auditId) => byId.get(auditId) ?? []);
    },
  };
};
