// A plan as it grows, row after row: what will happen, what is wrong, and a digest that proves that it is the same plan.
import { createHash } from 'node:crypto';
import type { FieldChange } from '@muster/record-diff';
import { diffRecords } from '@muster/record-diff';
import type { RecordOperation } from '../catalogue/index.ts';
import { ITEM, XP } from '../catalogue/index.ts';
import type { FileProblem } from './file-row.ts';
import type { ChangeName, PlannedChange } from './plan-row.ts';

export type ShownOperation = {
  /** Absent for a record that is deleted because the file lacks it. */
  row?: number;
  record_id: string;
  name: string;
  operation: ChangeName;
  /** A record that comes back does so with other values than it had. */
  also_changed?: true;
  changes: FieldChange[];
};

export type PlanCounts = Record<ChangeName | 'unchanged', number>;

/** How many operations and problems are told one by one; the counts tell of all. */
export const MAX_SHOWN = 1_000;

export type ImportPlan = ReturnType<typeof createImportPlan>;

/**
 * `scope` is what else a plan is about: the sandbox, the kind, the head, the options. `shownFrom` is how many operations
 * are left out of those that are told, from the beginning; it is no part of the plan.
 */
export const createImportPlan = (scope: unknown, shownFrom = 0) => {
  const counts: PlanCounts = { create: 0, update: 0, restore: 0, delete: 0, unchanged: 0 };
  const operations: ShownOperation[] = [];
  const problems: FileProblem[] = [];
  const steps: RecordOperation[] = [];
  const digest = createHash('sha256').update(JSON.stringify(scope));
  let [problemCount, changeCount] = [0, 0];
  return {
    counts,
    operations,
    problems,
    steps,
    add(change: PlannedChange | null): void {
      counts[change?.operation ?? 'unchanged'] += 1;
      if (!change) return;
      steps.push(...change.steps);
      digest.update(`\n${JSON.stringify([change.operation, change.recordId, change.steps])}`);
      changeCount += 1;
      if (changeCount > shownFrom && operations.length < MAX_SHOWN) operations.push(show(change));
    },
    refuse(problem: FileProblem): void {
      problemCount += 1;
      if (problems.length < MAX_SHOWN) problems.push(problem);
    },
    problemCount: () => problemCount,
    /** Hexadecimal. Ends the plan. */
    digest: () => digest.digest('hex'),
  };
};

/** The operation names the record already. */
const ID_FIELDS: ReadonlySet<string> = new Set([ITEM.idField, XP.idField]);

const show = ({
  row,
  recordId,
  name,
  operation,
  before,
  after,
  steps,
}: PlannedChange): ShownOperation => ({
  ...(row !== undefined && { row }),
  record_id: recordId,
  name,
  operation,
  ...(operation === 'restore' && steps.length > 1 && { also_changed: true as const }),
  changes: diffRecords(before, after).filter(({ path: [field] }) => !ID_FIELDS.has(String(field))),
});
