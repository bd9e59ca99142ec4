// Appends versions: the chain, the records, their names and the counters, in a handful of statements for any number.
import type { Prisma } from '@muster/database';
import { hashVersion } from '@muster/database';
import { foldName } from './fold-name.ts';
import type { RecordKind } from './record-kind.ts';
import type { NewVersion, RecordState } from './record-state.ts';
import { INSERT_NAMES, INSERT_VERSIONS, UPSERT_RECORDS } from './record-statements.ts';

export type SandboxHead = {
  /** Position of the newest version; 0 before the first. */
  seq: number;
  hash: Uint8Array | null;
  /** When the newest version was issued; positions and times never run against each other. */
  issuedAt: Date | undefined;
};

export type Append = {
  sandboxId: string;
  kind: RecordKind['kind'];
  accountId: string;
  issuedAt: Date;
  /** In the order of their positions, which follow the head's without a gap. */
  versions: readonly NewVersion[];
};

/** The sandbox row must be locked by this transaction, and `head` read under that lock. Answers the new head. */
export const appendVersions = async (
  transaction: Prisma.TransactionClient,
  head: SandboxHead,
  append: Append,
): Promise<SandboxHead> => {
  const { sandboxId, kind, accountId, issuedAt, versions } = append;
  const hashes = chain(head.hash, append);
  const run = (statement: string, rows: object[], ...more: unknown[]) =>
    transaction.$executeRawUnsafe(statement, sandboxId, kind, JSON.stringify(rows), ...more);
  await run(UPSERT_RECORDS, lastStates(versions).map(toRecordRow));
  const versionRows = versions.map((version, index) => toVersionRow(version, hashes[index]));
  await run(INSERT_VERSIONS, versionRows, accountId, issuedAt.toISOString());
  await run(INSERT_NAMES, toNameRows(versions));
  const added = { increment: versions.length };
  const next = { seq: head.seq + versions.length, hash: hashes.at(-1) ?? head.hash, issuedAt };
  await transaction.sandbox.update({
    where: { sandboxId },
    data: {
      headSeq: next.seq,
      headHash: next.hash && Uint8Array.from(next.hash),
      ...(kind === 'item' ? { itemVersions: added } : { xpVersions: added }),
    },
    select: { sandboxId: true },
  });
  return next;
};

const chain = (headHash: Uint8Array | null, append: Append): Buffer[] => {
  const { sandboxId, kind, accountId, issuedAt, versions } = append;
  let previousHash = headHash;
  return versions.map(({ operation, reason, state }) => {
    const hash = hashVersion({
      previousHash,
      seq: state.headSeq,
      sandboxId,
      kind,
      recordId: state.recordId,
      recordVersion: state.version,
      versionId: state.versionId,
      transactionId: state.transactionId,
      operation,
      accountId,
      reason: reason ?? null,
      issuedAt,
      snapshot: state.snapshot,
    });
    previousHash = hash;
    return hash;
  });
};

/** A record that a bulk edits twice has two versions but is written once, as it ends. */
const lastStates = (versions: readonly NewVersion[]): RecordState[] => [
  ...new Map(versions.map(({ state }) => [state.recordId, state])).values(),
];

const toRecordRow = (state: RecordState) => ({
  record_id: state.recordId,
  legacy_id: state.legacyId,
  legacy_seq: state.legacySeq,
  name: state.name,
  folded_name: foldName(state.name),
  deleted: state.deleted,
  version: state.version,
  head_seq: state.headSeq,
  snapshot: state.snapshot,
  created_at: state.createdAt,
  updated_at: state.updatedAt,
});

const toVersionRow = (
  { operation, reason, state, changedFields }: NewVersion,
  hash: Buffer | undefined,
) => ({
  seq: state.headSeq,
  record_id: state.recordId,
  version: state.version,
  version_id: state.versionId,
  transaction_id: state.transactionId,
  operation,
  reason,
  version_name: state.name,
  snapshot: state.snapshot,
  hash: hash?.toString('hex'),
  changed_fields: changedFields,
});

const toNameRows = (versions: readonly NewVersion[]) => {
  const rows = new Map<string, object>();
  for (const { state } of versions) {
    const row = {
      record_id: state.recordId,
      folded_name: foldName(state.name),
      first_seq: state.headSeq,
    };
    const key = `${row.record_id} ${row.folded_name}`;
    if (!rows.has(key)) rows.set(key, row);
  }
  return [...rows.values()];
};
