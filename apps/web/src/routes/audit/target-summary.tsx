import type { AuditRecord } from './audit-columns.tsx';
import { summarizeTarget } from './read-target.ts';

/** What was changed, in one line; whole ids are in the record itself. */
export const TargetSummary = ({ record }: { record: AuditRecord }) =>
  summarizeTarget(record.target, record.target_name);
