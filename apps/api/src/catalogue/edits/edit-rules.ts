// The rules of catalogue edits, without I/O: the versions that a list of operations creates, or the refused operation.
import { isDeepStrictEqual } from 'node:util';
import type { HistoryOperation } from '@muster/contract';
import { ServiceError } from '../../platform/index.ts';
import type { ItemSchemas } from '../item-schemas/item-schema-rules.ts';
import { requireFitting } from '../item-schemas/item-schema-rules.ts';
import type { RecordFields, RecordKind } from '../records/record.ts';
import { listChangedFields, pickGiven, readSnapshot, writeSnapshot } from '../records/record.ts';

/** One edit, named like its procedure; the schemas have checked ids and fields. */
export type RecordOperation = { recordId: string; reason: string | undefined } & (
  | { type: 'create'; fields: RecordFields }
  | { type: 'update'; fields: RecordFields; expectedVersion: number }
  | { type: 'delete'; expectedVersion: number }
  | { type: 'restore'; versionId: string | undefined; expectedVersion: number }
);

export type OperationType = RecordOperation['type'];

/**
 * The operations that give a record exactly these fields, as imports and promotions do: create it, update it, or
 * restore it and then update it. An update keeps fields that it does not name, so absent fields are set to null. A
 * legacy id is never removed.
 */
export const listOperationsTo = (
  kind: RecordKind,
  {
    recordId,
    fields,
    reason,
  }: { recordId: string; fields: RecordFields; reason: string | undefined },
  current: { deleted: boolean; version: number } | undefined,
): RecordOperation[] => {
  const given = pickGiven(kind, fields);
  if (!current) return [{ type: 'create', recordId, reason, fields: given }];
  const clearable = kind.fields.filter((name) => name !== kind.legacyIdField);
  const patch = { ...Object.fromEntries(clearable.map((name) => [name, null])), ...given };
  const { deleted, version: expectedVersion } = current;
  const update = (version: number): RecordOperation => ({
    type: 'update',
    recordId,
    reason,
    fields: patch,
    expectedVersion: version,
  });
  if (!deleted) return [update(expectedVersion)];
  return [
    { type: 'restore', recordId, reason, versionId: undefined, expectedVersion },
    update(expectedVersion + 1),
  ];
};

/** The current state of a record: stored, or after the previous operations of the same transaction. */
export type RecordState = {
  recordId: string;
  legacyId: number | undefined;
  /** Position at which the legacy id was set: a history that began before it does not show it. */
  legacySeq: number | undefined;
  name: string;
  deleted: boolean;
  /** Number of the newest version, from 1: also the number of versions. */
  version: number;
  /** Position of the newest version in the sandbox. */
  headSeq: number;
  snapshot: string;
  versionId: string;
  transactionId: string;
  createdAt: Date;
  updatedAt: Date;
};

/** A version to be written: its state and its operation. It is issued when the state is updated. */
export type NewVersion = {
  kind: RecordKind['kind'];
  accountId: string;
  operation: HistoryOperation;
  reason: string | undefined;
  state: RecordState;
  /** Compared with the previous version. Derived, so that no hash covers it. */
  changedFields: string[];
};

/** The snapshot of an older version of this record; undefined when the record has no such version. */
type FindVersion = (recordId: string, versionId: string) => string | undefined;

export type WriteContext = {
  kind: RecordKind;
  accountId: string;
  /** Every stored record that an operation names, by its id or by its new legacy id. */
  stored: readonly RecordState[];
  findVersion: FindVersion;
  /** The schemas that creates and updates are checked against. Restores are not. */
  schemas: ItemSchemas;
  /** Position of the newest version of the sandbox. */
  headSeq: number;
  transactionId: string;
  newId: () => string;
  issuedAt: Date;
};

export type WritePlan = {
  versions: NewVersion[];
  /** One per operation, in order: the record after the operation. */
  results: RecordState[];
};

type WritePlanner = {
  plan: WritePlan;
  /** Decides the next operation. Errors: those of the rules. */
  add(operation: RecordOperation): void;
};

/**
 * Operations see the results of the previous ones, so a bulk may edit one record several times. Each expected_version
 * is then the one that the previous edit created. Errors of a bulk include the index of the operation.
 */
export const createWritePlanner = (context: WriteContext, isBulk: boolean): WritePlanner => {
  const { kind, accountId, stored, headSeq } = context;
  const records = new Map(stored.map((state) => [state.recordId, state]));
  const holders = new Map(stored.map(({ legacyId, recordId }) => [legacyId, recordId]));
  const versions: NewVersion[] = [];
  const apply = (operation: RecordOperation): RecordState => {
    const before = records.get(operation.recordId);
    const outcome = applyOperation(context, before, operation);
    requireFreeLegacyId(kind, operation, holders);
    if (!outcome && before) return before;
    if (!outcome) throw new Error('An operation on no record changed nothing.');
    const seq = headSeq + versions.length + 1;
    const state = nextState(context, operation.recordId, before, outcome, seq);
    const changedFields = listChangedFields(kind, before?.snapshot, outcome.snapshot);
    const { reason } = operation;
    const how = { accountId, operation: outcome.operation, reason, changedFields };
    versions.push({ kind: kind.kind, ...how, state });
    records.set(state.recordId, state);
    if (state.legacyId !== undefined) holders.set(state.legacyId, state.recordId);
    return state;
  };
  const results: RecordState[] = [];
  return {
    plan: { versions, results },
    add: (operation) => {
      const decide = () => apply(operation);
      results.push(isBulk ? withOperationIndex(results.length, decide) : decide());
    },
  };
};

/** The same for a few operations. */
export const planWrite = (
  context: WriteContext,
  operations: readonly RecordOperation[],
  isBulk: boolean,
): WritePlan => {
  const { plan, add } = createWritePlanner(context, isBulk);
  for (const operation of operations) add(operation);
  return plan;
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

/** The legacy id that an operation sets, if any. */
export const givenLegacyId = (kind: RecordKind, operation: RecordOperation): number | undefined => {
  if (operation.type !== 'create' && operation.type !== 'update') return undefined;
  return (operation.fields[kind.legacyIdField] as number | null | undefined) ?? undefined;
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

const withOperationIndex = <T>(index: number, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { evidence, message, code } = error;
    const { problems } = evidence;
    const inBulk = problems?.map(({ loc, ...problem }) => ({
      ...problem,
      loc: ['operations', index, ...loc],
    }));
    throw new ServiceError(code, {
      ...evidence,
      ...(inBulk && { problems: inBulk }),
      desc: `Operation ${index}: ${message}`,
      facts: { ...evidence.facts, operation_index: index },
      cause: error,
    });
  }
};

/** The new version; null when the edit changes nothing, so that nothing is written. */
type Outcome = { operation: HistoryOperation; snapshot: string; deleted: boolean } | null;

/** Errors: record_exists, record_not_found, record_deleted, record_version_conflict, version_not_found, input_invalid, custom_data_invalid. */
const applyOperation = (
  { kind, schemas, findVersion }: Pick<WriteContext, 'kind' | 'schemas' | 'findVersion'>,
  state: RecordState | undefined,
  operation: RecordOperation,
): Outcome => {
  const { recordId } = operation;
  if (operation.type === 'create') {
    if (state) throw new ServiceError('record_exists', { facts: currentVersion(state) });
    const snapshot = writeSnapshot(kind, recordId, operation.fields);
    requireFitting(schemas, undefined, snapshot);
    return { operation: 'insert', snapshot, deleted: false };
  }
  if (!state) throw new ServiceError('record_not_found');
  if (state.deleted && operation.type !== 'restore') {
    throw new ServiceError('record_deleted', { facts: currentVersion(state) });
  }
  if (operation.expectedVersion !== state.version) {
    throw new ServiceError('record_version_conflict', { facts: currentVersion(state) });
  }
  switch (operation.type) {
    case 'update':
      return update(kind, schemas, state, operation.fields);
    case 'delete':
      return { operation: 'delete', snapshot: state.snapshot, deleted: true };
    case 'restore':
      return restore(kind, state, operation.versionId, findVersion);
  }
};

const currentVersion = (state: RecordState) => ({
  current_version: state.version,
  current_version_id: state.versionId,
});

const update = (
  kind: RecordKind,
  schemas: ItemSchemas,
  state: RecordState,
  fields: RecordFields,
): Outcome => {
  requireSameLegacyId(kind, state, fields[kind.legacyIdField]);
  const merged = { ...readSnapshot(state.snapshot), ...fields };
  const snapshot = writeSnapshot(kind, state.recordId, merged);
  if (isSameRecord(snapshot, state.snapshot)) return null;
  requireFitting(schemas, state.snapshot, snapshot);
  return { operation: 'update', snapshot, deleted: false };
};

/** A legacy id is permanent: it can be set later, but never changed or cleared. */
const requireSameLegacyId = (kind: RecordKind, state: RecordState, given: unknown) => {
  if (state.legacyId === undefined || given === undefined || given === state.legacyId) return;
  throw new ServiceError('input_invalid', {
    desc: `${kind.legacyIdField} cannot be changed or cleared once the record has one.`,
  });
};

const restore = (
  kind: RecordKind,
  state: RecordState,
  versionId: string | undefined,
  findVersion: FindVersion,
): Outcome => {
  const older = versionId === undefined ? state.snapshot : findVersion(state.recordId, versionId);
  if (older === undefined) throw new ServiceError('version_not_found');
  const fields = { ...readSnapshot(older), [kind.legacyIdField]: state.legacyId };
  const snapshot = writeSnapshot(kind, state.recordId, fields);
  if (!state.deleted && isSameRecord(snapshot, state.snapshot)) return null;
  return { operation: 'restore', snapshot, deleted: false };
};

/** Equal as values: the order of keys in custom_data is irrelevant. */
const isSameRecord = (left: string, right: string): boolean =>
  left === right || isDeepStrictEqual(readSnapshot(left), readSnapshot(right));
