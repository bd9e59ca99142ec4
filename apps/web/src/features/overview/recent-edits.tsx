// The last edits of a sandbox: everything that one transaction wrote is one row.
import { Flex } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../../api/client.ts';
import { EmptyState, QueryState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import { describeEdit, describeFields, nameEdit } from '../history/edit-words.ts';
import type { Edit } from '../history/history-query.ts';
import classes from './overview.module.css';

const SHOWN = 8;
const REFRESH_MS = 10_000;

export const RecentEdits = ({ sandbox }: { sandbox: string }) => {
  const edits = useQuery({
    ...trpc.edits.list.queryOptions({ sandbox_id: sandbox, page_size: SHOWN }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <section aria-labelledby="recent-edits">
      <h2 id="recent-edits">Recent edits</h2>
      <QueryState query={edits}>
        {({ edits }) =>
          edits.length === 0 ? (
            <EmptyState title="No edits yet" />
          ) : (
            <>
              <ol className={classes.list}>
                {edits.map((edit) => (
                  <EditRow key={edit.transaction_id} sandbox={sandbox} edit={edit} />
                ))}
              </ol>
              <Link to="/s/$sandbox/history" params={{ sandbox }}>
                View all
              </Link>
            </>
          )
        }
      </QueryState>
    </section>
  );
};

const EditRow = ({ sandbox, edit }: { sandbox: string; edit: Edit }) => (
  <li>
    <Flex wrap="wrap" gap="2px 10px" miw={0} className="anywhere">
      <Link to="/s/$sandbox/history" params={{ sandbox }} search={{ edit: edit.transaction_id }}>
        <bdi>{nameEdit(edit)}</bdi>
      </Link>
      <span className="hint">
        {[describeEdit(edit), describeFields(edit)].filter((words) => words !== '').join(' · ')}
      </span>
      {edit.reason && (
        <span className="hint" style={{ flexBasis: '100%' }}>
          {edit.reason}
        </span>
      )}
    </Flex>
    <span className={classes.who}>
      <AccountName id={edit.account_id} />
      <TimeText at={edit.issued_at} />
    </span>
  </li>
);
