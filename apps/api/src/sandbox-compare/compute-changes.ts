import { setImmediate } from 'node:timers/promises';
import type { FieldChange } from '@muster/record-diff';
import { diffRecords } from '@muster/record-diff';

/** Two large tables take some 20 ms of the processor, and other requests wait that long: not for all of a page. */
const RECORDS_AT_A_TIME = 10;

export type SnapshotPair = { before: string | null; after: string | null };

/** The differences of many records, each by its snapshots; null where there is no record. */
export const computeChanges = async (pairs: readonly SnapshotPair[]): Promise<FieldChange[][]> => {
  const changes: FieldChange[][] = [];
  for (const { before, after } of pairs) {
    if (changes.length % RECORDS_AT_A_TIME === RECORDS_AT_A_TIME - 1) await setImmediate();
    changes.push(diffRecords(parse(before), parse(after)));
  }
  return changes;
};

const parse = (snapshot: string | null): object | null =>
  snapshot === null ? null : JSON.parse(snapshot);
