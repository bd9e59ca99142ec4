import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../../api/client.ts';
import { FailureAlert } from './schedule-view.tsx';

const LIVE_MS = 60_000;
const MAX_SHOWN = 3;

/** The scheduled change sets that failed, on every page of their sandbox. */
export const ScheduleBanner = ({ sandbox }: { sandbox: string }) => {
  const input = { sandbox_id: sandbox, needs_attention: true, page_size: MAX_SHOWN };
  const options = trpc.changeSets.list.queryOptions(input, { refetchInterval: LIVE_MS });
  const { data } = useQuery(options);
  return data?.change_sets.map((set) => (
    <FailureAlert
      key={set.change_set_id}
      set={set}
      isBanner
      title={
        <Link to="/s/$sandbox/change-sets/$id" params={{ sandbox, id: set.change_set_id }}>
          <bdi>{set.title}</bdi>
        </Link>
      }
    />
  ));
};
