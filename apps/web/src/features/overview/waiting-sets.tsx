// The change sets of a sandbox that are scheduled or wait for a review or for their application.
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../../api/client.ts';
import { ErrorState, LoadingState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import type { ChangeSet } from '../change-sets/change-set-queries.ts';
import { StateTag } from '../change-sets/change-set-tag.tsx';
import { Moments } from '../change-sets/schedule-view.tsx';
import classes from './overview.module.css';

/** The next steps of the service first, then those of people. */
const STATES = ['scheduled', 'in_review', 'approved'] as const;
const SHOWN = 5;
const REFRESH_MS = 30_000;

export const WaitingSets = ({ sandbox }: { sandbox: string }) => {
  const lists = useQueries({
    queries: STATES.map((state) => ({
      ...trpc.changeSets.list.queryOptions({ sandbox_id: sandbox, state, page_size: SHOWN }),
      refetchInterval: REFRESH_MS,
    })),
  });
  const failed = lists.find(({ error, data }) => error && !data);
  const sets = lists.flatMap(({ data }) => data?.change_sets ?? []);
  return (
    <section aria-labelledby="waiting-sets">
      <h2 id="waiting-sets">Scheduled and waiting</h2>
      {failed && <ErrorState error={failed.error} onRetry={failed.refetch} />}
      {!failed && lists.some(({ isPending }) => isPending) && <LoadingState lines={2} />}
      {!failed && lists.every(({ data }) => data) && <SetList sandbox={sandbox} sets={sets} />}
    </section>
  );
};

const SetList = ({ sandbox, sets }: { sandbox: string; sets: readonly ChangeSet[] }) => {
  if (sets.length === 0) {
    return <p className="hint">No change set is scheduled, in review or approved.</p>;
  }
  return (
    <>
      <ul className={classes.list}>
        {sets.map((set) => (
          <li key={set.change_set_id}>
            <span className="anywhere">
              <Link to="/s/$sandbox/change-sets/$id" params={{ sandbox, id: set.change_set_id }}>
                <bdi>{set.title}</bdi>
              </Link>
            </span>
            <span className={classes.who}>
              <StateTag state={set.state} />
              {set.schedule ? <Moments {...set.schedule} /> : <TimeText at={set.updated} />}
            </span>
          </li>
        ))}
      </ul>
      <Link to="/s/$sandbox/change-sets" params={{ sandbox }}>
        View all
      </Link>
    </>
  );
};
