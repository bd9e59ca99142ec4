import { nameField } from '@muster/record-diff';
import { Link } from '@tanstack/react-router';
import type { ApiOutputs } from '../../api/trpc.ts';
import { AccountName } from '../../components/accounts/account-name.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { ITEM, XP } from '../../features/records/record-kind.ts';
import { OperationTag } from '../../features/records/versions/operation-tag.tsx';
import classes from './last-changes.module.css';

type Change = ApiOutputs['overview']['get']['last_changes'][number];

type LastChangesProps = { sandbox: string; changes: readonly Change[] };

/** Who did what to which record; each opens with its difference. */
export const LastChanges = ({ sandbox, changes }: LastChangesProps) => (
  <section className={classes.section} aria-labelledby="last-changes">
    <h2 id="last-changes">Last changes</h2>
    <ol className={classes.list}>
      {changes.map((change) => (
        <li key={change.version_id}>
          <OperationTag operation={change.operation} />
          <div className={classes.what}>
            <ChangeLink sandbox={sandbox} change={change} />
            {change.operation === 'update' && (
              <span className={classes.fields}>
                {change.changed_fields.map(nameField).join(', ')}
              </span>
            )}
            {change.reason && <span className={classes.reason}>{change.reason}</span>}
          </div>
          <span className={classes.who}>
            <AccountName id={change.account_id} />
            <TimeText at={change.issued_at} />
          </span>
        </li>
      ))}
    </ol>
    <Link to="/s/$sandbox/history" params={{ sandbox }}>
      The whole history
    </Link>
  </section>
);

const ChangeLink = ({ sandbox, change }: { sandbox: string; change: Change }) => {
  const { paths } = change.kind === 'item' ? ITEM : XP;
  return (
    <Link
      to={paths.record}
      params={{ sandbox, id: change.record_id }}
      search={{ tab: 'history', version: change.version_id }}
    >
      {change.name}
    </Link>
  );
};
