// Copies selected records from one sandbox to another: shown as a dry run, then applied exactly as shown.
import type { HistoryOperation } from '@muster/contract';
import type { FieldChange } from '@muster/record-diff';
import { diffRecords } from '@muster/record-diff';
import { forEachPaced } from '../flow/index.ts';
import type { Actor, AuditEntry } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { CatalogueTransaction } from './catalogue-store.ts';
import type { CatalogueWriter } from './catalogue-writer.ts';
import { appendAll } from './catalogue-writer.ts';
import type { CompareStore, SourceRecord } from './compare-store.ts';
import type { WriteContext } from './edit-rules.ts';
import { PAGE_BYTES } from './pagination.ts';
import type { DanglingReference } from './promote-references.ts';
import { findReferences, refuseDangling } from './promote-references.ts';
import type { PromotedVersion, Promotion, RefusedRecord } from './promote-rules.ts';
import { legacyIdOf, planPromotion } from './promote-rules.ts';
import type { RecordKind } from './record.ts';
import { ITEM, kindOf, XP } from './record.ts';
import type { SandboxAuthority } from './sandbox-rules.ts';
import { requireAuthority } from './sandbox-rules.ts';

type PromoteRequest = {
  sandboxId: string;
  sourceSandboxId: string;
  kind: 'item' | 'xp';
  recordIds: string[];
  dryRun: boolean;
  /** Positions from a dry run: exactly the shown changes are applied. */
  expectedHeadSeq: number | undefined;
  expectedSourceHeadSeq: number | undefined;
  /** Includes the Xp tables that promoted Items refer to and the target lacks. */
  includeReferenced: boolean;
  /** Applies the promotion although Items would then refer to Xp tables that the target lacks. */
  allowDangling: boolean;
  reason: string | undefined;
};

type PromoteAnswer = {
  /** One per version that is, or would be, written, in order. */
  operations: {
    kind: 'item' | 'xp';
    record_id: string;
    name: string;
    operation: HistoryOperation;
    changes: FieldChange[];
  }[];
  /** Records that cannot be promoted, each with its reason; only in a dry run. */
  errors: { record_id: string; name?: string; error_code: string; desc: string }[];
  /** Dry run: the Xp tables that the target would lack if none were included. Applied: those that it lacks now. */
  dangling_references: DanglingReference[];
  head_seq: number;
  source_head_seq: number;
  /** Absent on a dry run, and when nothing had to be written. */
  transaction_id?: string;
};

export type PromoteService = {
  /**
   * One transaction in the target; none when the signal is aborted before. Errors: sandbox_busy, sandbox_not_found,
   * promote_outdated (with head_seq, source_head_seq), sandbox_protected, sandbox_confirmation_required, input_invalid
   * (the same sandbox twice); references_dangling (with xp_id, item_id, dangling_xp_tables); body_too_large. For the
   * first record that cannot be promoted, with record_id: record_not_found, legacy_id_taken, input_invalid (another
   * legacy id). In a sandbox that requires a review: review_required (with change_set_id).
   */
  promote(
    actor: Actor,
    request: PromoteRequest,
    authority: SandboxAuthority,
    signal?: AbortSignal,
  ): Promise<PromoteAnswer>;
};

type Source = { headSeq: number; records: ReadonlyMap<string, SourceRecord> };
type Planned = Promotion & { dangling: DanglingReference[] };
type Decided = Planned & {
  changes: FieldChange[][];
  headSeq: number;
  /** To throw after the commit: the changes were stored as a change set in review. */
  waiting?: ServiceError;
};

export const createPromoteService = (
  store: CompareStore,
  writer: CatalogueWriter,
): PromoteService => ({
  async promote(actor, request, authority, signal) {
    const { sandboxId, sourceSandboxId, kind, recordIds, dryRun } = request;
    if (sandboxId === sourceSandboxId) {
      throw new ServiceError('input_invalid', { desc: 'Name two different sandboxes.' });
    }
    // Read before the target is locked: a transaction that waits for a second connection could deadlock the pool.
    const source = await store.readSource(sourceSandboxId, kind, recordIds);
    if (!source) throw new ServiceError('sandbox_not_found');
    const work = (transaction: CatalogueTransaction) => {
      const facts = { head_seq: transaction.head.seq, source_head_seq: source.headSeq };
      if (isOutdated(request, facts)) throw new ServiceError('promote_outdated', { facts });
      if (!dryRun) requireAuthority(transaction.sandbox, authority);
      const context = writer.openContext(kindOf(kind), transaction, actor);
      const held = { what: 'Promotion', reason: request.reason };
      const hold = writer.openHold(transaction, { actor, sandboxId }, held);
      return decide(transaction, context, { actor, hold }, request, source);
    };
    const decided = await writer.inTransaction(sandboxId, work, { signal });
    if (decided.waiting) throw decided.waiting;
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
  { actor, hold }: { actor: Actor; hold: ReturnType<CatalogueWriter['openHold']> },
  request: PromoteRequest,
  source: Source,
): Promise<Decided> => {
  const { kind } = opened;
  const { sandboxId, sourceSandboxId, reason } = request;
  const stored = await findStored(transaction, kind, request.recordIds, source);
  const plan = await planWithReferences(transaction, { ...opened, stored }, request, source);
  const planned = { ...plan, changes: await computeChanges(plan.versions.map(toPair)) };
  const { versions, refused, dangling } = planned;
  const headSeq = transaction.head.seq;
  if (request.dryRun) return { ...planned, headSeq };
  if (refused[0]) throw nameRecord(refused[0], refused.length);
  if (versions.length === 0) return { ...planned, headSeq };
  const left = refuseDangling(dangling, request);
  const origin = { sourceSandboxId, sourceHeadSeq: source.headSeq };
  if (hold) {
    await hold.add(versions.map(({ version }) => version));
    const waiting = await hold.finish();
    return { ...planned, headSeq, ...(waiting && { waiting }) };
  }
  const entry = describePromotion(versions, origin, left.length);
  const audit = { ...entry, sandboxId, ...(reason && { reason }) };
  await appendAll(
    transaction,
    versions.map(({ version }) => version),
  );
  await transaction.audit(actor, audit, opened.issuedAt);
  return { ...planned, dangling: left, headSeq: headSeq + versions.length };
};

/** The records of the target. Their sizes are read first, since they are independent of the source's. */
const findStored = async (
  transaction: CatalogueTransaction,
  { kind }: RecordKind,
  recordIds: string[],
  source: Source,
) => {
  const legacyIds = [...source.records.values()].flatMap(
    (record) => legacyIdOf(kindOf(kind), record) ?? [],
  );
  if ((await transaction.measureRecords(kind, recordIds, legacyIds)) > PAGE_BYTES) {
    throw new ServiceError('body_too_large', {
      desc: 'The records of the target are too large; take fewer at once.',
    });
  }
  return transaction.findRecords(kind, recordIds, legacyIds);
};

/** Included Xp tables come first: at no position of the history does an Item lack its table. */
const planWithReferences = async (
  transaction: CatalogueTransaction,
  context: WriteContext,
  { sourceSandboxId, recordIds, reason, includeReferenced }: PromoteRequest,
  source: Source,
): Promise<Planned> => {
  const input = { recordIds, source: source.records, reason };
  const plan = (offset: number) =>
    planPromotion({ ...context, headSeq: context.headSeq + offset }, input);
  const alone = await plan(0);
  const origin = { sandboxId: sourceSandboxId, ...source };
  const { dangling, tables } = await findReferences(transaction, context, alone, origin, input);
  if (!includeReferenced || tables.length === 0) return { ...alone, dangling };
  const { versions, refused } = await plan(tables.length);
  return { versions: [...tables, ...versions], refused, dangling };
};

type SnapshotPair = { before: string | null; after: string | null };

/**
 * The differences of many records, each by its snapshots; null without a record. Two records may have more differences
 * than content. Errors: body_too_large.
 */
export const computeChanges = async (pairs: readonly SnapshotPair[]): Promise<FieldChange[][]> => {
  const changes: FieldChange[][] = [];
  let bytes = 0;
  await forEachPaced(pairs, ({ before, after }) => {
    const found = diffRecords(parse(before), parse(after));
    bytes += Buffer.byteLength(JSON.stringify(found));
    if (bytes > MAX_CHANGES_BYTES) {
      throw new ServiceError('body_too_large', {
        desc: 'The differences are larger than 6 MiB together; take fewer records at once.',
      });
    }
    changes.push(found);
  });
  return changes;
};
const MAX_CHANGES_BYTES = 6 * 1_048_576;

const parse = (snapshot: string | null): object | null =>
  snapshot === null ? null : JSON.parse(snapshot);

const toPair = ({ before, version: { state } }: PromotedVersion): SnapshotPair => ({
  before,
  after: state.deleted ? null : state.snapshot,
});

const nameRecord = ({ recordId, name, error }: RefusedRecord, count: number): ServiceError =>
  new ServiceError(error.code, {
    ...error.evidence,
    desc: `${name ?? recordId}: ${error.message}`,
    facts: { ...error.evidence.facts, record_id: recordId, refused_records: count },
    cause: error,
  });

const describePromotion = (
  versions: readonly PromotedVersion[],
  origin: { sourceSandboxId: string; sourceHeadSeq: number },
  dangling: number,
): AuditEntry => {
  const targets = [ITEM, XP].flatMap(({ kind, idField }) => {
    const ofKind = versions.filter(({ version }) => version.kind === kind);
    const ids = [...new Set(ofKind.map(({ version }) => version.state.recordId))];
    return ids.length === 0 ? [] : [[`${idField}s`, ids]];
  });
  return {
    action: 'compare.promote',
    target: Object.fromEntries(targets),
    after: {
      transaction_id: versions[0]?.version.state.transactionId ?? null,
      source_sandbox_id: origin.sourceSandboxId,
      source_head_seq: origin.sourceHeadSeq,
      ...(dangling > 0 && { dangling_xp_tables: dangling }),
    },
  };
};

const toAnswer = (
  { versions, refused, dangling, changes, headSeq }: Decided,
  source: Source,
  dryRun: boolean,
): PromoteAnswer => {
  const transactionId = dryRun ? undefined : versions[0]?.version.state.transactionId;
  return {
    operations: versions.map(({ version: { kind, operation, state } }, index) => ({
      kind,
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
    dangling_references: dangling,
    head_seq: headSeq,
    source_head_seq: source.headSeq,
    ...(transactionId !== undefined && { transaction_id: transactionId }),
  };
};
