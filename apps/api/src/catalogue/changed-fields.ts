import { isDeepStrictEqual } from 'node:util';
import type { RecordKind } from './record-kind.ts';
import { readSnapshot } from './record-kind.ts';

/**
 * The fields whose value is not that of the version before, in the order in which snapshots spell them; of a record's
 * first version all that it has. Without the id, which never changes. The migration that introduced the column says
 * the same in SQL.
 */
export const listChangedFields = (
  kind: RecordKind,
  before: string | undefined,
  after: string,
): string[] => {
  if (before === after) return [];
  const [left, right] = [before === undefined ? {} : readSnapshot(before), readSnapshot(after)];
  return kind.fields.filter((field) => !isDeepStrictEqual(left[field], right[field]));
};
