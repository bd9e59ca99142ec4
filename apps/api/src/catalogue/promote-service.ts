// Carries selected records from one sandbox to another: shown as a dry run, then applied as it was shown.
import type { HistoryOperation } from '@muster/contract';
import type { FieldChange } from '@muster/record-diff';
import type { Actor, AuditEntry } from '../platform/index.ts';
import { createPacer, ServiceError } from '../platform/index.ts';
import type { CatalogueTransaction } from './catalogue-store.ts';
import type { CatalogueWriter } from './catalogue-writer.ts';
import { computeChanges } from './compare-service.ts';
import type { CompareStore, SourceRecord } from './compare-store.ts';
import type { NewVersion, RecordOperation, RecordState, WriteContext } from './edit-rules.ts';
import { listOperationsTo, planWrite } from './edit-rules.ts';
import type { RecordKind } from './record.ts';
import { kindOf, readSnapshot } from './record.ts';
import type { SandboxAuthority } from './sandbox-rules.ts';
import { requireAuthority } from './sandbox-rules.ts';

type PromoteRequest = {
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

type PromoteAnswer = {
  /** One per version that is, or would be, written, in their order. */
  operations: {
    record_id: string;
    name: string;
    operation: HistoryOperation;
    changes: FieldChange[];
  }[];
  /** Records that cannot be promoted, each with its reason; only a dry run answers with any. */
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

type Source = { headSeq: number; records: ReadonlyMap<string, SourceRecord> };
type Decided = Promotion & { headSeq: number };

export const createPromoteService = (
  store: CompareStore,
  writer: CatalogueWriter,
): PromoteService => ({
  async promote(actor, request, authority) {
    const { sandboxId, sourceSandboxId, kind, recordIds, dryRun } = request;
    if (sandboxId === sourceSandboxId) {
      throw new ServiceError('input_invalid', { desc: 'Name two different sandboxes.' });
    }
    // Read before the target is locked: a transaction that waits for a second connection could deadlock the pool.
    const source = await store.readSource(sourceSandboxId, kind, recordIds);
    if (!source) throw new ServiceError('sandbox_not_found');
    const decided = await writer.inTransaction(sandboxId, async (transaction) => {
      const facts = { head_seq: transaction.head.seq, source_head_seq: source.headSeq };
      if (isOutdated(request, facts)) throw new ServiceError('promote_outdated', { facts });
      if (!dryRun) requireAuthority(transaction.sandbox, authority);
      const context = writer.openContext(kindOf(kind), transaction, actor);
      return decide(transaction, context, actor, request, source);
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
  opened: WriteContext,
  actor: Actor,
  { sandboxId, sourceSandboxId, recordIds, reason, dryRun }: PromoteRequest,
  source: Source,
): Promise<Decided> => {
  const { kind } = opened;
  const legacyIds = [...source.records.values()].flatMap(
    (record) => legacyIdOf(kind, record) ?? [],
  );
  const stored = await transaction.findRecords(kind.kind, recordIds, legacyIds);
  const context = { ...opened, stored };
  const promotion = await planPromotion(context, { recordIds, source: source.records, reason });
  const { versions, refused } = promotion;
  const headSeq = transaction.head.seq;
  if (dryRun) return { ...promotion, headSeq };
  if (refused[0]) throw nameRecord(refused[0], refused.length);
  if (versions.length === 0) return { ...promotion, headSeq };
  const origin = { sourceSandboxId, sourceHeadSeq: source.headSeq };
  const entry = describePromotion(kind, versions, origin);
  const audit = { ...entry, sandboxId, ...(reason && { reason }) };
  await transaction.append(versions.map(({ version }) => version));
  await transaction.audit(actor, audit, context.issuedAt);
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

// Decides in memory what carrying records over would write in the target, or why a record cannot come.

type PromotedVersion = {
  version: NewVersion;
  /** The target's record before; null where it had none, or a deleted one. */
  before: string | null;
};

type RefusedRecord = { recordId: string; name: string | undefined; error: ServiceError };

type Promotion = { versions: PromotedVersion[]; refused: RefusedRecord[] };

type PromotionSources = {
  recordIds: readonly string[];
  source: ReadonlyMap<string, SourceRecord>;
  reason: string | undefined;
};

/**
 * Records keep their ids. A record that the target deleted is restored, one that the source deleted is deleted. A
 * legacy id that the source lacks stays; one that the target cannot take refuses the record. Records do not touch each
 * other, since legacy ids never move: each is decided alone.
 */
const planPromotion = async (
  context: WriteContext,
  { recordIds, source, reason }: PromotionSources,
): Promise<Promotion> => {
  const { kind, stored } = context;
  const targets = new Map(stored.map((state) => [state.recordId, state]));
  const holders = new Map(stored.map((state) => [state.legacyId, state]));
  const promotion: Promotion = { versions: [], refused: [] };
  const pacer = createPacer();
  for (const recordId of new Set(recordIds)) {
    if (pacer.isDue()) await pacer.rest();
    const record = source.get(recordId);
    const target = targets.get(recordId);
    try {
      if (!record) throw new ServiceError('record_not_found', { desc: NOT_IN_SOURCE });
      const operations = listOperations(kind, record, target, reason);
      const holder = holders.get(legacyIdOf(kind, record));
      const concerned = [...new Set([target, holder])].filter((state) => state !== undefined);
      const headSeq = context.headSeq + promotion.versions.length;
      const { versions } = planWrite({ ...context, stored: concerned, headSeq }, operations, false);
      promotion.versions.push(...withStatesBefore(versions, target));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      promotion.refused.push({ recordId, name: (record ?? target)?.name, error });
    }
  }
  return promotion;
};

const NOT_IN_SOURCE = 'The source sandbox has never had this record.';

const legacyIdOf = (kind: RecordKind, { snapshot }: SourceRecord): number | undefined =>
  readSnapshot(snapshot)[kind.legacyIdField] as number | undefined;

const listOperations = (
  kind: RecordKind,
  source: SourceRecord,
  target: RecordState | undefined,
  reason: string | undefined,
): RecordOperation[] => {
  const { recordId } = source;
  const fields = readSnapshot(source.snapshot);
  if (source.deleted) {
    return !target || target.deleted
      ? []
      : [{ type: 'delete', recordId, reason, expectedVersion: target.version }];
  }
  return listOperationsTo(kind, { recordId, fields, reason }, target);
};

const withStatesBefore = (
  versions: readonly NewVersion[],
  target: RecordState | undefined,
): PromotedVersion[] =>
  versions.map((version, index) => {
    const before = index === 0 ? target : versions[index - 1]?.state;
    return { version, before: before && !before.deleted ? before.snapshot : null };
  });
