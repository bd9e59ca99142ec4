// One change of a plan, and its key in a list. Apart from the list, which loads later.
import type { FieldChange } from '@muster/record-diff';

/** One record as a change set would write it. */
export type PlannedChange = {
  /** Absent if all records are of one kind. */
  kind?: 'item' | 'xp';
  record_id: string;
  name: string;
  operation: PlannedOperation;
  changes: readonly FieldChange[];
  /** Why the record cannot be written. */
  problem?: {
    error_code?: string;
    desc: string;
    conflicts?: readonly { label: string }[];
    not_computable?: true;
  };
  warnings?: readonly string[];
};

export type PlannedOperation = 'create' | 'insert' | 'update' | 'restore' | 'delete';

/** One record can have two steps: restored, then changed. Records of different kinds can have the same id. */
export const identifyChange = ({ kind, record_id, operation }: PlannedChange): string =>
  `${kind ?? ''} ${record_id} ${operation}`;
