// Which records of a list an action is for: the selected ones, or all that match the filters of the list.
import type { ApiInputs } from '../../api/client.ts';
import type { RecordEdit } from './record-edits.ts';
import type { RecordKind } from './record-kind.ts';

export type RecordTarget =
  | { ids: readonly string[] }
  /** The number of matching records, if it is known. */
  | { filter: { item_type?: string | undefined }; total: number | undefined };

type Matching = ApiInputs['changeSets']['addMatching']['matching'];

type Change = { operation: 'delete' | 'restore' } | { operation: 'update'; edits: RecordEdit[] };

/** Each kind has its own filters, which the service validates. */
export const toMatching = (kind: RecordKind, target: RecordTarget, change: Change): Matching => {
  const which = 'ids' in target ? { ids: target.ids } : { filter: target.filter };
  return { kind: kind.kind, ...which, ...change } as Matching;
};

/** "36 Items", "1 Item", "all Items that match". */
export const describeTarget = (kind: RecordKind, target: RecordTarget): string => {
  const count = 'ids' in target ? target.ids.length : target.total;
  if (count === undefined) return `all ${kind.many} that match`;
  return `${count.toLocaleString('en')} ${count === 1 ? kind.one : kind.many}`;
};
