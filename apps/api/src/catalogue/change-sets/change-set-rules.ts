// The rules of change sets, without I/O: what an operation does to a record that may have changed since its base version,
// and the operations that undo an edit.
import { isDeepStrictEqual } from 'node:util';
import { describeIssues, itemFields, xpFields } from '@muster/contract';
import type { FieldConflict } from '@muster/record-diff';
import { diffRecords, mergeRecords } from '@muster/record-diff';
import { z } from 'zod';
import { ServiceError } from '../../platform/index.ts';
import type { OperationType, RecordOperation, RecordState } from '../edits/edit-rules.ts';
import { listOperationsTo } from '../edits/edit-rules.ts';
import type { RecordFields, RecordKind } from '../records/record.ts';
import { readSnapshot } from '../records/record.ts';

export const CHANGE_SET_STATES = [
  'draft',
  'in_review',
  'approved',
  'rejected',
  'scheduled',
  'applied',
  'reverted',
  'conflicted',
  'cancelled',
  'failed',
] as const;
/** The most operations of a change set. */
export const MAX_OPERATIONS = 50_000;

const MAX_TITLE_LENGTH = 256;
/** Cuts a title that the service made. */
export const shortenTitle = (title: string): string =>
  title.slice(0, MAX_TITLE_LENGTH).toWellFormed();

export type ChangeSetState = (typeof CHANGE_SET_STATES)[number];

/** The change of one record in a change set. */
export type SetOperation = {
  kind: RecordKind['kind'];
  recordId: string;
  operation: OperationType;
  /** The number of the record's version on which the change is based; null for a create. */
  baseVersion: number | null;
  /** The fields to set, null to clear one; for a create and an update, and for a restore that also changes them. */
  fields: RecordFields | null;
  /** The version to which a restore returns; null to undelete. */
  versionId: string | null;
  /** Why the change could not be computed for this record. */
  problem?: string | null;
};

/** What an operation depends on besides itself. */
export type OperationSources = {
  /** The record as it is now. */
  current: RecordState | undefined;
  /** The snapshot of the base version; absent when there is no such version. */
  base: string | undefined;
  /** The snapshot of the version to which a restore returns. */
  target: string | undefined;
};

type Resolved = {
  /** In order; empty when the record already is as the operation wants it. */
  steps: RecordOperation[];
  /** When there is any, nothing is written. */
  conflicts: FieldConflict[];
};

/**
 * A record that changed since the base version is merged with the operation field by field. Errors: record_not_found,
 * record_deleted, version_not_found, record_version_conflict (without the base version), input_invalid (the merged record).
 */
export const resolveOperation = (
  kind: RecordKind,
  operation: SetOperation,
  sources: OperationSources,
  reason: string | undefined,
): Resolved => {
  const { recordId, versionId } = operation;
  const { current } = sources;
  if (operation.operation === 'create') {
    const fields = operation.fields ?? {};
    return { steps: [{ type: 'create', recordId, reason, fields }], conflicts: [] };
  }
  if (!current) throw new ServiceError('record_not_found');
  const isCurrent = current.version === operation.baseVersion;
  const step = { recordId, reason, expectedVersion: current.version };
  switch (operation.operation) {
    case 'update': {
      const fields = operation.fields ?? {};
      if (current.deleted) throw new ServiceError('record_deleted');
      if (isCurrent) return { steps: [{ type: 'update', ...step, fields }], conflicts: [] };
      const base = requireBase(sources);
      return merge(kind, current, base, { ...base, ...fields }, reason);
    }
    case 'delete': {
      if (current.deleted) return { steps: [], conflicts: [] };
      const conflicts = isCurrent ? [] : listChangesSince(requireBase(sources), current);
      return { steps: [{ type: 'delete', ...step }], conflicts };
    }
    case 'restore': {
      if (versionId !== null && sources.target === undefined) {
        throw new ServiceError('version_not_found');
      }
      const { fields } = operation;
      if (!current.deleted && versionId === null && !fields) return { steps: [], conflicts: [] };
      if (isCurrent || (versionId === null && !fields)) {
        const steps: RecordOperation[] = [
          { type: 'restore', ...step, versionId: versionId ?? undefined },
        ];
        const expectedVersion = current.version + 1;
        if (fields) steps.push({ type: 'update', ...step, fields, expectedVersion });
        return { steps, conflicts: [] };
      }
      const base = requireBase(sources);
      const target = fields
        ? { ...base, ...fields }
        : readSnapshot(sources.target ?? current.snapshot);
      return merge(kind, current, base, target, reason);
    }
  }
};

const requireBase = ({ base, current }: OperationSources): RecordFields => {
  if (base !== undefined) return readSnapshot(base);
  throw new ServiceError('record_version_conflict', {
    desc: 'The record has no version with the number in expected_version.',
    facts: { current_version: current?.version ?? 0 },
  });
};

/** A record is not deleted with changes that the author of the deletion has not seen. */
const listChangesSince = (base: RecordFields, current: RecordState): FieldConflict[] =>
  diffRecords(base, readSnapshot(current.snapshot)).map(({ path, label, before, after }) => ({
    path,
    label,
    ...(before !== undefined && { base: before }),
    ...(after !== undefined && { theirs: after }),
  }));

const FIELDS = { item: z.object(itemFields), xp: z.object(xpFields) };

const merge = (
  kind: RecordKind,
  current: RecordState,
  base: RecordFields,
  mine: RecordFields,
  reason: string | undefined,
): Resolved => {
  const theirs = readSnapshot(current.snapshot);
  const { merged, conflicts } = mergeRecords<RecordFields>(base, theirs, withoutNulls(mine));
  if (conflicts.length > 0) return { steps: [], conflicts };
  // A legacy id is permanent.
  const fields = {
    ...merged,
    [kind.legacyIdField]: theirs[kind.legacyIdField] ?? merged[kind.legacyIdField],
  };
  if (!current.deleted && isDeepStrictEqual(withoutNulls(fields), theirs)) {
    return { steps: [], conflicts: [] };
  }
  const parsed = FIELDS[kind.kind].safeParse(fields);
  if (!parsed.success) {
    const [problem] = describeIssues('body', parsed.error.issues, fields);
    const desc = `The merged record is not valid: ${problem?.loc.slice(1).join('.')}: ${problem?.msg}`;
    throw new ServiceError('input_invalid', { desc });
  }
  const steps = listOperationsTo(kind, { recordId: current.recordId, fields, reason }, current);
  return { steps, conflicts: [] };
};

const withoutNulls = (fields: RecordFields): RecordFields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );

/** A record before and after an edit. */
export type EditedRecord = {
  kind: RecordKind['kind'];
  recordId: string;
  /** Null when the edit created the record. */
  before: { versionId: string; deleted: boolean; snapshot: string } | null;
  /** The last version that the edit wrote. */
  after: { version: number; deleted: boolean; snapshot: string };
};

/** Null when the record was not changed in effect. A legacy id that the edit set is kept. */
export const undoEdit = (
  kind: RecordKind,
  { recordId, before, after }: EditedRecord,
): SetOperation | null => {
  const wasLive = before !== null && !before.deleted;
  const operation = {
    kind: kind.kind,
    recordId,
    baseVersion: after.version,
    fields: null,
    versionId: null,
  };
  if (!wasLive) return after.deleted ? null : { ...operation, operation: 'delete' };
  if (after.deleted) return { ...operation, operation: 'restore', versionId: before.versionId };
  const fields = listPatch(kind, readSnapshot(after.snapshot), readSnapshot(before.snapshot));
  return Object.keys(fields).length === 0 ? null : { ...operation, operation: 'update', fields };
};

/** The fields that an update sets, null to clear one, to get from one record to the other. A legacy id is never cleared. */
export const listPatch = (
  kind: RecordKind,
  before: RecordFields,
  after: RecordFields,
): RecordFields => {
  const changed = kind.fields.filter(
    (field) =>
      !isDeepStrictEqual(before[field], after[field]) &&
      (field !== kind.legacyIdField || after[field] !== undefined),
  );
  return Object.fromEntries(changed.map((field) => [field, after[field] ?? null]));
};
