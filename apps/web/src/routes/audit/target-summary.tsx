import { AccountName } from '../../components/accounts/account-name.tsx';
import type { AuditRecord } from './audit-columns.tsx';
import { readName, summarizeTarget } from './read-target.ts';

/** What was changed, in one line: by name where the record or the account tells one. */
export const TargetSummary = ({ record }: { record: AuditRecord }) => {
  const { account_id, key_id } = record.target;
  const name = readName(record.after) ?? readName(record.before);
  const isAccount = typeof account_id === 'string' && key_id === undefined;
  if (isAccount) return <AccountName id={account_id} />;
  if (name !== undefined) return <>{name}</>;
  return <span className="mono">{summarizeTarget(record.target)}</span>;
};
