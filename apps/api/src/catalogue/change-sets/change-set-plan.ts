// Plans the operations of a change set for the records as they are now: the versions to write, or why an operation is refused.
import type { FieldConflict } from '@muster/record-diff';
import { mapPaced } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { CatalogueReads } from '../edits/catalogue-store.ts';
import type { OpenContext } from '../edits/catalogue-writer.ts';
import type { NewVersion, RecordState } from '../edits/edit-rules.ts';
import { planWrite } from '../edits/edit-rules.ts';
import type { ItemSchemas } from '../item-schemas/item-schema-rules.ts';
import {
  findSchemaProblems,
  NO_SCHEMAS,
  warnOfProblems,
} from '../item-schemas/item-schema-rules.ts';
import { kindOf } from '../records/record.ts';
import type { SetOperation } from './change-set-rules.ts';
import { resolveOperation } from './change-set-rules.ts';
import type { ChangeSetRow, PlacedOperation } from './change-set-store.ts';

export type PlannedOperation = {
  operation: PlacedOperation;
  name: string;
  /** The record before and after; null where it does not exist or is deleted. */
  before: string | null;
  after: string | null;
  /** Empty when nothing has to change. */
  versions: NewVersion[];
  problem?: { error: ServiceError; conflicts: FieldConflict[] };
  /** Values that do not fit the schemas and are written nevertheless. */
  warnings: string[];
};

type Reads = Pick<CatalogueReads, 'findRecords' | 'findVersions' | 'changeSets' | 'itemSchemas'>;

/** Plans the next operations of one change set, in their order. */
export type SetPlanner = (
  open: OpenContext,
  operations: readonly PlacedOperation[],
) => Promise<PlannedOperation[]>;

type PlannedSet = Pick<ChangeSetRow, 'reason' | 'checksSchemas'>;

export const createSetPlanner = (reads: Reads, set: PlannedSet): SetPlanner => {
  const reason = set.reason ?? undefined;
  const { checksSchemas } = set;
  /** Read once: the transaction sees one state of them. */
  let schemas: ItemSchemas | undefined;
  /** The legacy ids that earlier operations set, with their records. */
  const takenIds = new Map<string, string>();

  const planOne = (
    open: OpenContext,
    operation: PlacedOperation,
    stored: Stored & { schemas: ItemSchemas },
    offset: number,
  ): PlannedOperation => {
    const kind = kindOf(operation.kind);
    const { recordId } = operation;
    const key = toKey(operation);
    const current = stored.records.get(key);
    const live = current && !current.deleted ? current.snapshot : null;
    const named = current?.name ?? String(operation.fields?.name ?? recordId);
    const unchanged = {
      operation,
      name: named,
      before: live,
      after: live,
      versions: [],
      warnings: [],
    };
    const refuse = (error: ServiceError, conflicts: FieldConflict[] = []) => ({
      ...unchanged,
      problem: { error, conflicts },
    });
    const target =
      operation.versionId === null ? undefined : stored.targets.get(operation.versionId);
    const base = stored.bases.get(key);
    if (typeof operation.problem === 'string') {
      return refuse(new ServiceError('input_invalid', { desc: operation.problem }));
    }
    try {
      const sources = { current, base, target };
      const { steps, conflicts } = resolveOperation(kind, operation, sources, reason);
      if (conflicts.length > 0) {
        const desc = 'A later edit conflicts with this change.';
        return refuse(new ServiceError('record_version_conflict', { desc }), conflicts);
      }
      const legacyKey = toLegacyKey(operation);
      const holder = legacyKey === undefined ? undefined : stored.holders.get(legacyKey);
      const concerned = [...new Set([current, holder])].filter((state) => state !== undefined);
      const opened = open(kind);
      const context = {
        ...opened,
        stored: concerned,
        findVersion: (_: string, versionId: string) => stored.targets.get(versionId),
        schemas: checksSchemas ? stored.schemas : NO_SCHEMAS,
        headSeq: opened.headSeq + offset,
      };
      const { versions } = planWrite(context, steps, false);
      const last = versions.at(-1)?.state;
      if (!last) return unchanged;
      const taker = legacyKey === undefined ? undefined : takenIds.get(legacyKey);
      if (taker !== undefined && taker !== recordId) {
        return refuse(new ServiceError('legacy_id_taken', { facts: { [kind.idField]: taker } }));
      }
      if (legacyKey !== undefined) takenIds.set(legacyKey, recordId);
      const after = last.deleted ? null : last.snapshot;
      const isOld = !checksSchemas || operation.operation === 'restore';
      const unfit = isOld && after !== null && operation.kind === 'item';
      const problems = unfit ? findSchemaProblems(stored.schemas, live ?? undefined, after) : [];
      const warnings = warnOfProblems(problems);
      return { ...unchanged, name: last.name, after, versions, warnings };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return refuse(error);
    }
  };

  return async (open, operations) => {
    schemas ??= await reads.itemSchemas.readCurrent();
    const stored = { ...(await readStored(reads, operations)), schemas };
    let offset = 0;
    return mapPaced(operations, (operation) => {
      const planned = planOne(open, operation, stored, offset);
      offset += planned.versions.length;
      return planned;
    });
  };
};

type Stored = {
  records: ReadonlyMap<string, RecordState>;
  holders: ReadonlyMap<string, RecordState>;
  /** The base versions of records that have changed since. */
  bases: ReadonlyMap<string, string>;
  /** By version id; only versions of the operation's record. */
  targets: ReadonlyMap<string, string>;
};

const toKey = ({ kind, recordId }: Pick<SetOperation, 'kind' | 'recordId'>): string =>
  `${kind} ${recordId}`;

const toLegacyKey = ({ kind, fields }: SetOperation): string | undefined => {
  const legacyId = fields?.[kindOf(kind).legacyIdField];
  return typeof legacyId === 'number' ? `${kind} ${legacyId}` : undefined;
};

const readStored = async (
  reads: Reads,
  operations: readonly PlacedOperation[],
): Promise<Stored> => {
  const [records, holders] = [new Map<string, RecordState>(), new Map<string, RecordState>()];
  const [bases, targets] = [new Map<string, string>(), new Map<string, string>()];
  for (const [kind, ofKind] of Map.groupBy(operations, (operation) => operation.kind)) {
    const ids = ofKind.map(({ recordId }) => recordId);
    const { legacyIdField } = kindOf(kind);
    const legacyIds = ofKind.map(({ fields }) => fields?.[legacyIdField]);
    const numbers = legacyIds.filter((legacyId) => typeof legacyId === 'number');
    for (const state of await reads.findRecords(kind, ids, numbers)) {
      records.set(toKey({ kind, recordId: state.recordId }), state);
      if (state.legacyId !== undefined) holders.set(`${kind} ${state.legacyId}`, state);
    }
    const changed = ofKind.flatMap(({ recordId, baseVersion }) => {
      const current = records.get(toKey({ kind, recordId }));
      const isBehind = baseVersion !== null && current && current.version !== baseVersion;
      return isBehind ? [{ recordId, version: baseVersion }] : [];
    });
    for (const { recordId, snapshot } of await reads.changeSets.findNumbered(kind, changed)) {
      bases.set(toKey({ kind, recordId }), snapshot);
    }
    const recordOf = new Map(ofKind.map(({ versionId, recordId }) => [versionId, recordId]));
    const versionIds = ofKind.flatMap(({ versionId }) => versionId ?? []);
    for (const found of await reads.findVersions(kind, versionIds)) {
      if (recordOf.get(found.versionId) === found.recordId) {
        targets.set(found.versionId, found.snapshot);
      }
    }
  }
  return { records, holders, bases, targets };
};
