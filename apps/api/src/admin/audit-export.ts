// The audit trail for programs that follow it: every record at least once. A record is visible here once no older transaction is
// running, since a cursor must not pass a record that commits later.
import { z } from 'zod';
import { lowestIdAt, SERVICE_ACCOUNT, ServiceError, timeOfId } from '../platform/index.ts';
import type {
  AuditExportPart,
  AuditExportPosition,
  AuditExportStore,
} from './audit-export-store.ts';
import type { AuditRow } from './audit-list-store.ts';
import type { AuditService, AuditView, AuditViewer } from './audit-router.ts';
import { decodeCursor, encodeCursor } from './pagination.ts';

const RECORDS_PER_NODE = 500;
/** Of all nodes together. The record that reaches it is the last of its node. */
const PAGE_BYTES = 2 * 1_048_576;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const START: AuditExportPosition = { transactionId: 0, auditId: FIRST_ID };

const NodePosition = z.strictObject({
  node: z.int().min(0),
  origin: z.string().max(64),
  transactionId: z.int().min(0),
  auditId: z.uuid(),
});
type NodePosition = z.infer<typeof NodePosition>;

const Cursor = z.array(NodePosition).max(1_000);

export type AuditExportPage = {
  records: AuditView[];
  cursor: string;
  /** There are more records now. */
  hasMore: boolean;
  /**
   * When the last record that was read was made, in milliseconds since 1970; on Citus, the earliest of the nodes. The transactions of
   * records that are not visible yet began later, however long they stay open. Undefined before the first record of a node.
   */
  readUntil: number | undefined;
};

export type AuditExport = ReturnType<typeof createAuditExport>;

export const createAuditExport = (store: AuditExportStore, audit: Pick<AuditService, 'show'>) => {
  const readNode = async (node: number, known: NodePosition | undefined, earliest: string) => {
    const part = await store.read(node, known ?? START, earliest, RECORDS_PER_NODE);
    if (known && isForeign(part, known)) throw new ServiceError('cursor_expired');
    const taken = takeEntries(part, PAGE_BYTES / store.nodes.length);
    const rows = await store.find(taken.map(({ auditId }) => auditId));
    const last = taken.at(-1);
    const isEnd = taken.length === part.entries.length && taken.length < RECORDS_PER_NODE;
    // At the end, every transaction before the horizon has been read. The id of the last record is kept for its time.
    const lastId = last?.auditId ?? known?.auditId ?? FIRST_ID;
    const end = { transactionId: part.horizon - 1, auditId: lastId };
    const position = isEnd || !last ? end : last;
    const { transactionId, auditId } = position;
    return { rows, isEnd, next: { node, origin: part.origin, transactionId, auditId } };
  };

  return {
    /**
     * The records after the cursor, oldest first, and the cursor that follows them. A page may have no records although there
     * are more, when the viewer may not see them. Errors: `input_invalid`, `cursor_expired`.
     */
    read: async (
      cursor: string | undefined,
      from: Date | undefined,
      viewer: AuditViewer,
    ): Promise<AuditExportPage> => {
      const known = decodeCursor(cursor, Cursor) ?? [];
      const earliest = from === undefined ? FIRST_ID : lowestIdAt(from);
      const parts = await Promise.all(
        store.nodes.map((node) =>
          readNode(
            node,
            known.find((position) => position.node === node),
            earliest,
          ),
        ),
      );
      const rows: AuditRow[] = parts.flatMap((part) => part.rows);
      return {
        records: await audit.show(rows, viewer),
        cursor: encodeCursor(parts.map(({ next }) => next)),
        hasMore: parts.some(({ isEnd }) => !isEnd),
        readUntil: findReadUntil(parts.map(({ next }) => next)),
      };
    },

    /** The cursor of a reader who has read every record that is visible now. */
    findEnd: async (): Promise<string> => {
      const positions = await Promise.all(
        store.nodes.map(async (node): Promise<NodePosition> => {
          const { origin, horizon } = await store.read(node, START, FIRST_ID, 1);
          return { node, origin, transactionId: horizon, auditId: FIRST_ID };
        }),
      );
      return encodeCursor(positions);
    },
  };
};

/** What is sent to webhooks: every record, as an API key that has only `audit:view` reads it. */
export const createPushedAudit = ({ findEnd, read }: AuditExport) => ({
  findEnd,
  read: (cursor: string | undefined, from: Date) => read(cursor, from, PUSH_VIEWER),
});

const PUSH_VIEWER: AuditViewer = { accountId: SERVICE_ACCOUNT, seesPeople: false };

const findReadUntil = (positions: readonly NodePosition[]): number | undefined => {
  if (positions.some(({ auditId }) => auditId === FIRST_ID)) return undefined;
  return Math.min(...positions.map(({ auditId }) => timeOfId(auditId)));
};

const takeEntries = ({ entries }: AuditExportPart, most: number) => {
  let bytes = 0;
  const end = entries.findIndex((entry) => {
    bytes += entry.bytes;
    return bytes >= most;
  });
  return end < 0 ? entries : entries.slice(0, end + 1);
};

/** Transaction ids of another server, or of one that was restored to an earlier moment. */
const isForeign = (part: AuditExportPart, known: NodePosition): boolean =>
  part.origin !== known.origin || known.transactionId > part.horizon;
