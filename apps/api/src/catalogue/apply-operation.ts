// The rules of one catalogue edit, without I/O: what it makes of the record, or why it is refused.
import { isDeepStrictEqual } from 'node:util';
import type { HistoryOperation } from '@muster/contract';
import { ServiceError } from '../errors/service-error.ts';
import type { RecordKind } from './record-kind.ts';
import { readSnapshot, writeSnapshot } from './record-kind.ts';
import type { RecordOperation } from './record-operation.ts';
import type { RecordState } from './record-state.ts';

/** What the edit makes; null when it changes nothing, so that nothing is to be written. */
export type Outcome = { operation: HistoryOperation; snapshot: string; deleted: boolean } | null;

/** The snapshot of an older version of this record; undefined when the record has no such version. */
export type FindVersion = (recordId: string, versionId: string) => string | undefined;

/** Errors: record_exists, record_not_found, record_deleted, record_version_conflict, version_not_found, input_invalid. */
export const applyOperation = (
  kind: RecordKind,
  state: RecordState | undefined,
  operation: RecordOperation,
  findVersion: FindVersion,
): Outcome => {
  if (operation.type === 'create') return create(kind, state, operation);
  if (!state) throw new ServiceError('record_not_found');
  if (state.deleted && operation.type !== 'restore') {
    throw new ServiceError('record_deleted', { facts: currentVersion(state) });
  }
  if (operation.expectedVersion !== state.version) {
    throw new ServiceError('record_version_conflict', { facts: currentVersion(state) });
  }
  switch (operation.type) {
    case 'update':
      return update(kind, state, operation);
    case 'delete':
      return { operation: 'delete', snapshot: state.snapshot, deleted: true };
    case 'restore':
      return restore(kind, state, operation, findVersion);
  }
};

type Wish<Type extends RecordOperation['type']> = Extract<RecordOperation, { type: Type }>;

const currentVersion = (state: RecordState) => ({
  current_version: state.version,
  current_version_id: state.versionId,
});

const create = (
  kind: RecordKind,
  state: RecordState | undefined,
  { recordId, fields }: Wish<'create'>,
): Outcome => {
  if (state) throw new ServiceError('record_exists', { facts: currentVersion(state) });
  return { operation: 'insert', snapshot: writeSnapshot(kind, recordId, fields), deleted: false };
};

const update = (kind: RecordKind, state: RecordState, { fields }: Wish<'update'>): Outcome => {
  requireSameLegacyId(kind, state, fields[kind.legacyIdField]);
  const merged = { ...readSnapshot(state.snapshot), ...fields };
  const snapshot = writeSnapshot(kind, state.recordId, merged);
  if (isSameRecord(snapshot, state.snapshot)) return null;
  return { operation: 'update', snapshot, deleted: false };
};

/** A legacy id stays with its record for ever: it may be given later, but never changed or cleared. */
const requireSameLegacyId = (kind: RecordKind, state: RecordState, given: unknown) => {
  if (state.legacyId === undefined || given === undefined || given === state.legacyId) return;
  throw new ServiceError('input_invalid', {
    desc: `${kind.legacyIdField} cannot be changed or cleared once the record has one.`,
  });
};

const restore = (
  kind: RecordKind,
  state: RecordState,
  { versionId }: Wish<'restore'>,
  findVersion: FindVersion,
): Outcome => {
  const older = versionId === undefined ? state.snapshot : findVersion(state.recordId, versionId);
  if (older === undefined) throw new ServiceError('version_not_found');
  const fields = { ...readSnapshot(older), [kind.legacyIdField]: state.legacyId };
  const snapshot = writeSnapshot(kind, state.recordId, fields);
  if (!state.deleted && isSameRecord(snapshot, state.snapshot)) return null;
  return { operation: 'restore', snapshot, deleted: false };
};

/** Equal as values: the order of keys in custom_data says nothing. */
const isSameRecord = (left: string, right: string): boolean =>
  left === right || isDeepStrictEqual(readSnapshot(left), readSnapshot(right));
