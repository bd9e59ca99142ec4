import type {
  PlannedChange,
  PlannedOperation,
} from '../../features/planned-changes/planned-change.ts';

type Counted = Exclude<PlannedOperation, 'insert'> | 'unchanged';

export type ImportProblem = { row: number; column?: string; msg: string };

/** What POST /admin/import answers, see docs/admin-api.md. */
export type ImportAnswer = {
  head_seq: number;
  /** Absent when something is wrong with the file. */
  plan_digest?: string;
  counts: Record<Counted, number>;
  /** The first thousand. */
  operations: PlannedChange[];
  /** The first thousand. */
  errors: ImportProblem[];
  error_count: number;
  /** Once applied; absent when nothing changed. */
  transaction_id?: string;
};

export const countChanges = ({ counts }: Pick<ImportAnswer, 'counts'>): number =>
  counts.create + counts.update + counts.restore + counts.delete;
