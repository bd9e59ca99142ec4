// The overview of a sandbox: counts, the last edits, what is planned, the drift to other sandboxes, and the first steps
// if it is empty.

import { Box } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApiOutputs } from '../../../../api/client.ts';
import { trpc } from '../../../../api/client.ts';
import { usePermission } from '../../../../api/me.ts';
import { useSandbox } from '../../../../api/sandboxes.ts';
import { Drift } from '../../../../features/overview/drift.tsx';
import { HistoryState } from '../../../../features/overview/history-state.tsx';
import { RecentEdits } from '../../../../features/overview/recent-edits.tsx';
import { WaitingSets } from '../../../../features/overview/waiting-sets.tsx';
import { Tag } from '../../../../ui/facts.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState, QueryState } from '../../../../ui/states.tsx';
import classes from './index.module.css';

export const Route = createFileRoute('/_app/s/$sandbox/')({
  component: OverviewPage,
});

const REFRESH_MS = 10_000;

function OverviewPage() {
  const { sandbox } = Route.useParams();
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
            <Counts overview={shown} />
            {shown.head_seq === 0 ? (
              <FirstSteps />
            ) : (
              <div className={classes.columns}>
                <RecentEdits sandbox={sandbox} />
                <div className={classes.aside}>
                  <WaitingSets sandbox={sandbox} />
                  <Drift sandbox={sandbox} records={shown.counts.items + shown.counts.xp} />
                  <HistoryState sandbox={sandbox} seq={shown.head_seq} hash={shown.head_hash} />
                </div>
              </div>
            )}
          </>
        )}
      </QueryState>
    </Page>
  );
}

type Overview = ApiOutputs['overview']['get'];

/** The counts of a sandbox, each with a link. */
const Counts = ({ overview }: { overview: Overview }) => {
  const params = Route.useParams();
  const { counts, head_seq, live_sessions, health } = overview;
  const figures = [
    ['Items', counts.items, '/s/$sandbox/items', 'All Items'],
    ['Xp tables', counts.xp, '/s/$sandbox/xp', 'All Xp tables'],
    ['In the trash', counts.deleted, '/s/$sandbox/trash', 'Trash'],
    ['Versions', head_seq, '/s/$sandbox/history', 'History'],
  ] as const;
  return (
    <dl className={classes.counts}>
      {figures.map(([label, value, to, words]) => (
        <Count key={to} label={label} value={value}>
          <Link to={to} params={params}>
            {words}
          </Link>
        </Count>
      ))}
      {live_sessions !== undefined && (
        <Count label="Live sessions" value={live_sessions}>
          <Link to="/sessions">Sessions</Link>
        </Count>
      )}
      <Count label="Database latency" value={Math.max(1, Math.round(health.database_ms))} unit="ms">
        <Box component="span" c="dimmed" fz="sm" fw={400}>
          {health.database_ms < 250 ? 'healthy' : 'slow'}
        </Box>
      </Count>
    </dl>
  );
};

type CountProps = { label: string; value: number; unit?: string; children: ReactNode };

const Count = ({ label, value, unit, children }: CountProps) => (
  <div className={classes.count}>
    <dt>{label}</dt>
    <dd className="numbers">
      {value.toLocaleString('en')}
      {unit && (
        <Box component="span" c="dimmed" fz="sm" fw={400}>
          {' '}
          {unit}
        </Box>
      )}
    </dd>
    <Box component="dd" fz="xs" fw={400}>
      {children}
    </Box>
  </div>
);

/** Explains how to fill an empty sandbox. */
const FirstSteps = () => {
  const params = Route.useParams();
  const mayEdit = usePermission(['sandbox:config:edit'], params.sandbox);
  if (!mayEdit) {
    return (
      <EmptyState title="This sandbox is empty">
        People who may edit it can create the first Item.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="This sandbox is empty">
      <Link to="/s/$sandbox/items/new" params={params}>
        Create the first Item
      </Link>
      ,{' '}
      <Link to="/s/$sandbox/import" params={params}>
        import a file
      </Link>{' '}
      or{' '}
      <Link to="/s/$sandbox/compare-sandboxes" params={params}>
        copy records from another sandbox
      </Link>
      .
    </EmptyState>
  );
};
