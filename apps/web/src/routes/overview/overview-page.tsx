// The first page of a sandbox: what is in it, what happened last, and where to begin.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSandbox } from '../../access/sandboxes.ts';
import { trpc } from '../../api/trpc.ts';
import { Page } from '../../components/page/page.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { Tag } from '../../components/tag/tag.tsx';
import { ChainHead } from './chain-head.tsx';
import { Counts } from './counts.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LastChanges } from './last-changes.tsx';
import classes from './overview-page.module.css';

const route = getRouteApi('/app/s/$sandbox/');

const REFRESH_MS = 10_000;

export const OverviewPage = () => {
  const { sandbox } = route.useParams();
  const facts = useSandbox(sandbox);
  const overview = useQuery({
    ...trpc.overview.get.queryOptions({ sandbox_id: sandbox }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page
      title={facts?.name ?? 'Overview'}
      beside={facts?.protected && <Tag tone="production">protected</Tag>}
    >
      <QueryState query={overview}>
        {(shown) => (
          <>
            <Counts sandbox={sandbox} overview={shown} />
            {shown.head_seq === 0 ? (
              <FirstSteps sandbox={sandbox} />
            ) : (
              <div className={classes.columns}>
                <LastChanges sandbox={sandbox} changes={shown.last_changes} />
                <ChainHead seq={shown.head_seq} hash={shown.head_hash} />
              </div>
            )}
          </>
        )}
      </QueryState>
    </Page>
  );
};
