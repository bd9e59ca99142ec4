// Decides a whole write in memory, operation after operation: which versions it makes, or which one is refused.
import { ServiceError } from '../errors/service-error.ts';
import type { FindVersion } from './apply-operation.ts';
import { applyOperation } from './apply-operation.ts';
import { listChangedFields } from './changed-fields.ts';
import type { RecordKind } from './record-kind.ts';
import { readSnapshot } from './record-kind.ts';
import type { RecordOperation } from './record-operation.ts';
import { givenLegacyId } from './record-operation.ts';
import type { NewVersion, RecordState } from './record-state.ts';

export type WriteContext = {
  kind: RecordKind;
  /** Every stored record that an operation names, by its id or by the legacy id that it gives. */
  stored: readonly RecordState[];
  findVersion: FindVersion;
  /** Position of the newest version of the sandbox. */
  headSeq: number;
  transactionId: string;
  newId: () => string;
  issuedAt: Date;
};

export type WritePlan = {
  versions: NewVersion[];
  /** One per operation, in order: the record as the operation left it. */
  results: RecordState[];
};

/**
 * Operations see what the ones before them did, so that one record may be edited several times in a bulk (each
 * expected_version is then the one that the edit before made). Errors of a bulk name the operation by its index.
 */
export const planWrite = (
  context: WriteContext,
  operations: readonly RecordOperation[],
  isBulk: boolean,
): WritePlan => {
  const records = new Map(context.stored.map((state) => [state.recordId, state]));
  const holders = new Map(context.stored.map(({ legacyId, recordId }) => [legacyId, recordId]));
  const versions: NewVersion[] = [];
  const apply = (operation: RecordOperation): RecordState => {
    const before = records.get(operation.recordId);
    const outcome = applyOperation(context.kind, before, operation, context.findVersion);
    requireFreeLegacyId(context.kind, operation, holders);
    if (!outcome && before) return before;
    if (!outcome) throw new Error('An operation on no record changed nothing.');
    const seq = context.headSeq + versions.length + 1;
    const state = nextState(context, operation.recordId, before, outcome, seq);
    const changedFields = listChangedFields(context.kind, before?.snapshot, outcome.snapshot);
    versions.push({ operation: outcome.operation, reason: operation.reason, state, changedFields });
    records.set(state.recordId, state);
    if (state.legacyId !== undefined) holders.set(state.legacyId, state.recordId);
    return state;
  };
  const results = operations.map((operation, index) =>
    isBulk ? namingIndex(index, () => apply(operation)) : apply(operation),
  );
  return { versions, results };
};

const requireFreeLegacyId = (
  kind: RecordKind,
  operation: RecordOperation,
  holders: ReadonlyMap<number | undefined, string>,
) => {
  const legacyId = givenLegacyId(kind, operation);
  if (legacyId === undefined) return;
  const holder = holders.get(legacyId);
  if (holder === undefined || holder === operation.recordId) return;
  throw new ServiceError('legacy_id_taken', { facts: { [kind.idField]: holder } });
};

const nextState = (
  { kind, transactionId, newId, issuedAt }: WriteContext,
  recordId: string,
  before: RecordState | undefined,
  outcome: { snapshot: string; deleted: boolean },
  seq: number,
): RecordState => {
  const fields = readSnapshot(outcome.snapshot) as { name: string; [field: string]: unknown };
  const legacyId = fields[kind.legacyIdField] as number | undefined;
  return {
    recordId,
    legacyId,
    legacySeq: legacyId === undefined ? undefined : (before?.legacySeq ?? seq),
    name: fields.name,
    deleted: outcome.deleted,
    version: (before?.version ?? 0) + 1,
    headSeq: seq,
    snapshot: outcome.snapshot,
    versionId: newId(),
    transactionId,
    createdAt: before?.createdAt ?? issuedAt,
    updatedAt: issuedAt,
  };
};

const namingIndex = <T>(index: number, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { evidence, message, code } = error;
    throw new ServiceError(code, {
      ...evidence,
      desc: `Operation ${index}: ${message}`,
      facts: { ...evidence.facts, operation_index: index },
      cause: error,
    });
  }
};
