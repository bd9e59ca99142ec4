import type { HistoryOperation } from '@muster/contract';
import type { FieldChange } from '@muster/record-diff';
import { v7 as uuidv7 } from 'uuid';
import type { Actor, AuditEntry } from '../audit/index.ts';
import type {
  CatalogueTransaction,
  CatalogueWriter,
  RecordKind,
  SandboxAuthority,
  WriteSources,
} from '../catalogue/index.ts';
import {
  commitVersions,
  ITEM,
  openWriteContext,
  requireAuthority,
  XP,
} from '../catalogue/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { CompareStore, SourceRecord } from './compare-store.ts';
import { computeChanges } from './compute-changes.ts';
import type { PromotedVersion, Promotion, RefusedRecord } from './plan-promotion.ts';
import { legacyIdOf, planPromotion } from './plan-promotion.ts';

export type PromoteRequest = {
  sandboxId: string;
  sourceSandboxId: string;
  kind: 'item' | 'xp';
  recordIds: string[];
  dryRun: boolean;
  /** Positions that a dry run answered: what was shown is what is applied. */
  expectedHeadSeq: number | undefined;
  expectedSourceHeadSeq: number | undefined;
  reason: string | undefined;
};

export type PromoteAnswer = {
  /** One per version that is, or would be, written, in their order. */
  operations: {
    record_id: string;
    name: string;
    operation: HistoryOperation;
    changes: FieldChange[];
  }[];
  /** Records that cannot come, each with why; only a dry run answers with any. */
  errors: { record_id: string; name?: string; error_code: string; desc: string }[];
  head_seq: number;
  source_head_seq: number;
  /** Absent on a dry run, and when there was nothing to write. */
  transaction_id?: string;
};

export type PromoteService = {
  /**
   * One transaction in the target. Errors: sandbox_not_found, promote_outdated (with head_seq, source_head_seq),
   * sandbox_protected, sandbox_confirmation_required, input_invalid (one sandbox twice); of the first record that
   * cannot come, with record_id: record_not_found, legacy_id_taken, input_invalid (another legacy id).
   */
  promote(
    actor: Actor,
    request: PromoteRequest,
    authority: SandboxAuthority,
  ): Promise<PromoteAnswer>;
};

type Parts = { store: CompareStore; write: CatalogueWriter } & Partial<WriteSources>;
type Source = { headSeq: number; records: ReadonlyMap<string, SourceRecord> };
type Decided = Promotion & { headSeq: number };

export const createPromoteService = ({
  store,
  write,
  now = () => new Date(),
  newId = uuidv7,
}: Parts): PromoteService => ({
  async promote(actor, request, authority) {
    const { sandboxId, sourceSandboxId, kind, recordIds, dryRun } = request;
    if (sandboxId === sourceSandboxId) {
      throw new ServiceError('input_invalid', { desc: 'Name two different sandboxes.' });
    }
    // Read before the target is locked: a transaction that waited for a second connection could wait for ever.
    const source = await store.readSource(sourceSandboxId, kind, recordIds);
    if (!source) throw new ServiceError('sandbox_not_found');
    const decided = await write(sandboxId, async (transaction) => {
      const facts = { head_seq: transaction.head.seq, source_head_seq: source.headSeq };
      if (isOutdated(request, facts)) throw new ServiceError('promote_outdated', { facts });
      if (!dryRun) requireAuthority(transaction.sandbox, authority);
      return decide(transaction, request, source, { actor, now, newId });
    });
    return toAnswer(decided, source, dryRun);
  },
});

const isOutdated = (
  { expectedHeadSeq, expectedSourceHeadSeq }: PromoteRequest,
  facts: { head_seq: number; source_head_seq: number },
): boolean =>
  (expectedHeadSeq ?? facts.head_seq) !== facts.head_seq ||
  (expectedSourceHeadSeq ?? facts.source_head_seq) !== facts.source_head_seq;

const decide = async (
  transaction: CatalogueTransaction,
  { sandboxId, sourceSandboxId, recordIds, reason, dryRun, ...request }: PromoteRequest,
  source: Source,
  { actor, ...sources }: { actor: Actor } & WriteSources,
): Promise<Decided> => {
  const kind: RecordKind = request.kind === 'item' ? ITEM : XP;
  const legacyIds = [...source.records.values()].flatMap(
    (record) => legacyIdOf(kind, record) ?? [],
  );
  const stored = await transaction.findRecords(kind.kind, recordIds, legacyIds);
  const context = { ...openWriteContext(kind, transaction, sources), stored };
  const promotion = planPromotion(context, { recordIds, source: source.records, reason });
  const { versions, refused } = promotion;
  const headSeq = transaction.head.seq;
  if (dryRun) return { ...promotion, headSeq };
  if (refused[0]) throw nameRecord(refused[0], refused.length);
  if (versions.length === 0) return { ...promotion, headSeq };
  const written = versions.map(({ version }) => version);
  const origin = { sourceSandboxId, sourceHeadSeq: source.headSeq };
  const entry = describePromotion(kind, versions, origin);
  const audit = { ...entry, sandboxId, ...(reason && { reason }) };
  await commitVersions(transaction, context, written, actor, audit);
  return { ...promotion, headSeq: headSeq + versions.length };
};

const nameRecord = ({ recordId, name, error }: RefusedRecord, count: number): ServiceError =>
  new ServiceError(error.code, {
    ...error.evidence,
    desc: `${name ?? recordId}: ${error.message}`,
    facts: { ...error.evidence.facts, record_id: recordId, refused_records: count },
    cause: error,
  });

const describePromotion = (
  kind: RecordKind,
  versions: readonly PromotedVersion[],
  origin: { sourceSandboxId: string; sourceHeadSeq: number },
): AuditEntry => {
  const recordIds = [...new Set(versions.map(({ version }) => version.state.recordId))];
  return {
    action: 'compare.promote',
    target: { [`${kind.idField}s`]: recordIds },
    after: {
      transaction_id: versions[0]?.version.state.transactionId ?? null,
      source_sandbox_id: origin.sourceSandboxId,
      source_head_seq: origin.sourceHeadSeq,
    },
  };
};

const toAnswer = async (
  { versions, refused, headSeq }: Decided,
  source: Source,
  dryRun: boolean,
): Promise<PromoteAnswer> => {
  const changes = await computeChanges(
    versions.map(({ before, version: { state } }) => ({
      before,
      after: state.deleted ? null : state.snapshot,
    })),
  );
  const transactionId = dryRun ? undefined : versions[0]?.version.state.transactionId;
  return {
    operations: versions.map(({ version: { operation, state } }, index) => ({
      record_id: state.recordId,
      name: state.name,
      operation,
      changes: changes[index] ?? [],
    })),
    errors: refused.map(({ recordId, name, error }) => ({
      record_id: recordId,
      ...(name !== undefined && { name }),
      error_code: error.code,
      desc: error.message,
    })),
    head_seq: headSeq,
    source_head_seq: source.headSeq,
    ...(transactionId !== undefined && { transaction_id: transactionId }),
  };
};
