// Edits: what one transaction changed in a sandbox, whatever procedure wrote it.
import { ServiceError } from '../../platform/index.ts';
import type { EditRow, EditStore } from './edit-store.ts';

export type EditAnswer = {
  transaction_id: string;
  /** RFC 3339, of its last version. */
  issued_at: string;
  account_id: string;
  /** Of its last version: the operations of one edit can have different reasons. */
  reason?: string;
  /** Of the change set that wrote it, if one did. */
  title?: string;
  change_set_id?: string;
  /** Positions in the history. Those in between belong to the same edit. */
  first_seq: number;
  last_seq: number;
  /** A record that an edit changed twice counts once for each kind of operation. */
  counts: EditRow['counts'];
  changed_fields: string[];
  /** Both only for an edit of one record. */
  name?: string;
  record_id?: string;
  /** The newest edit that undid this one, unless that one was undone as well. */
  reverted_by_transaction_id?: string;
};

export type EditService = {
  /**
   * Newest first, at most `pageSize`; fewer when the edits are large. `after` is where the page before ended. Errors:
   * sandbox_not_found.
   */
  list(
    sandboxId: string,
    after: number | null,
    pageSize: number,
  ): Promise<{
    edits: EditAnswer[];
    /** Null on the last page. */
    next: number | null;
  }>;
};

export const createEditService = (store: EditStore): EditService => ({
  async list(sandboxId, after, pageSize) {
    const head = await store.findHead(sandboxId);
    if (head === null) throw new ServiceError('sandbox_not_found');
    const rows = await store.list(sandboxId, Math.min(after ?? head, head), pageSize);
    const next = (rows.at(-1)?.firstSeq ?? 1) - 1;
    return { edits: rows.map(toAnswer), next: next === 0 ? null : next };
  },
});

const toAnswer = (row: EditRow): EditAnswer => ({
  transaction_id: row.transactionId,
  issued_at: row.issuedAt.toISOString(),
  account_id: row.accountId,
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.title !== null && { title: row.title }),
  ...(row.changeSetId !== null && { change_set_id: row.changeSetId }),
  first_seq: row.firstSeq,
  last_seq: row.lastSeq,
  counts: row.counts,
  changed_fields: row.changedFields,
  ...(row.isOfOneRecord && { name: row.name, record_id: row.recordId }),
  ...(row.revertedBy !== null && { reverted_by_transaction_id: row.revertedBy }),
});
