import type { FieldChange } from '@muster/record-diff';

/** One record as an import or a promotion would write it. */
export type PlannedChange = {
  /** Of the file, counted from 1; absent where there is no file, or the file lacks the record. */
  row?: number;
  record_id: string;
  name: string;
  operation: PlannedOperation;
  /** It comes back with other values than it had. */
  also_changed?: true;
  changes: readonly FieldChange[];
};

export type PlannedOperation = 'create' | 'insert' | 'update' | 'restore' | 'delete';
