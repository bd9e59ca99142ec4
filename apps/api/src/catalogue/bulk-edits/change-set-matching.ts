// Adds the operations of a change of many records to a change set. The service finds the records and computes each change.
import type { RecordWhere } from '@muster/contract';
import { mapPaced } from '../../flow/index.ts';
import type { SetOperation } from '../change-sets/change-set-rules.ts';
import type { ChangeSetAccess } from '../change-sets/change-set-store.ts';
import type { RecordState } from '../edits/edit-rules.ts';
import type { RecordKind } from '../records/record.ts';
import { kindOf } from '../records/record.ts';
import type { FilterInput } from '../records/record-service.ts';
import { toRecordFilter } from '../records/record-service.ts';
import type { RecordEdit } from './record-edit-inputs.ts';
import { planUpdate } from './record-edit-rules.ts';

export type MatchingRecords = {
  kind: RecordKind['kind'];
  ids?: string[] | undefined;
  filter?: (FilterInput & { where?: RecordWhere | undefined }) | undefined;
} & ({ operation: 'update'; edits: readonly RecordEdit[] } | { operation: 'delete' | 'restore' });

/** Records that are read at once: each may have a snapshot of a hundred kilobytes. */
const BATCH = 100;

/** `requireRoom` is given the number of operations before it is written, so that a wide filter fails early. */
export const addMatchingRecords = async (
  access: ChangeSetAccess,
  place: { sandboxId: string; changeSetId: string },
  matching: MatchingRecords,
  requireRoom: (count: number) => void,
): Promise<void> => {
  const ids = await listIds(access, place.sandboxId, matching);
  requireRoom(ids.length);
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH);
    const states = await access.findRecords(matching.kind, batch);
    const byId = new Map(states.map((state) => [state.recordId, state]));
    const planned = await mapPaced(batch, (id) => planOperation(matching, id, byId.get(id)));
    const operations = planned.filter((operation) => operation !== null);
    if (operations.length > 0) await access.putOperations(place.changeSetId, operations);
  }
};

const listIds = async (
  access: ChangeSetAccess,
  sandboxId: string,
  { kind, ids, filter }: MatchingRecords,
): Promise<string[]> => {
  if (ids) return [...new Set(ids)];
  return access.findMatching(toRecordFilter(kindOf(kind), { sandbox_id: sandboxId, ...filter }));
};

/** Null when nothing has to change. A record that is not there or is deleted gets its problem in the preview. */
const planOperation = (
  matching: MatchingRecords,
  recordId: string,
  state: RecordState | undefined,
): SetOperation | null => {
  const kind = kindOf(matching.kind);
  if (matching.operation === 'update' && state && !state.deleted) {
    return planUpdate(kind, state, matching.edits);
  }
  const isDone = state?.deleted === (matching.operation === 'delete');
  if (state && isDone && matching.operation !== 'update') return null;
  return {
    kind: kind.kind,
    recordId,
    operation: matching.operation,
    baseVersion: state?.version ?? null,
    fields: null,
    versionId: null,
  };
};
