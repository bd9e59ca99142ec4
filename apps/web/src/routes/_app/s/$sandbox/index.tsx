// The overview of a sandbox: counts, the last changes, and the first steps if it is empty.

import { Box, Flex } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApiOutputs } from '../../../../api/client.ts';
import { trpc } from '../../../../api/client.ts';
import { usePermission } from '../../../../api/me.ts';
import { useSandbox } from '../../../../api/sandboxes.ts';
import { AccountName } from '../../../../features/accounts/account-name.tsx';
import { OperationTag, VersionLink } from '../../../../features/records/record-links.tsx';
import { CopyableId } from '../../../../ui/copyable.tsx';
import { Tag } from '../../../../ui/facts.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState, QueryState } from '../../../../ui/states.tsx';
import { TimeText } from '../../../../ui/time.tsx';
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
                <LastChanges changes={shown.last_changes} />
                <ChainHead seq={shown.head_seq} hash={shown.head_hash} />
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

/** The last changes, each with a link to its differences. */
const LastChanges = ({ changes }: { changes: Overview['last_changes'] }) => (
  <section aria-labelledby="last-changes">
    <h2 id="last-changes">Recent changes</h2>
    <ol className={classes.list}>
      {changes.map((change) => (
        <li key={change.version_id}>
          <OperationTag operation={change.operation} />
          <Flex wrap="wrap" gap="2px 10px" miw={0} className="anywhere">
            <VersionLink version={change}>{change.name}</VersionLink>
            {change.operation === 'update' && (
              <span className="hint">{change.changed_fields.map(nameField).join(', ')}</span>
            )}
            {change.reason && (
              <span className="hint" style={{ flexBasis: '100%' }}>
                {change.reason}
              </span>
            )}
          </Flex>
          <span className={classes.who}>
            <AccountName id={change.account_id} />
            <TimeText at={change.issued_at} />
          </span>
        </li>
      ))}
    </ol>
    <Link to="/s/$sandbox/history" params={Route.useParams()}>
      View all
    </Link>
  </section>
);

type ChainHeadProps = { seq: number; hash: string | undefined };

/** The hash that proves the history up to now. Users can store it elsewhere. */
const ChainHead = ({ seq, hash }: ChainHeadProps) => {
  const mayVerify = usePermission(['metrics:view']);
  return (
    <section aria-labelledby="chain-head">
      <h2 id="chain-head">Head of the history</h2>
      <Box component="p" m="0 0 8px" c="dimmed" fz="sm">
        Every version carries a hash over the one before it, so that changes to the past are
        detected. Keep this hash outside of Muster: it proves all{' '}
        <Box component="b" className="numbers" c="var(--mantine-color-text)">
          {seq.toLocaleString('en')}
        </Box>{' '}
        versions up to now.
      </Box>
      {hash && <CopyableId id={hash} label="head hash" short />}
      {mayVerify && (
        <Box component="p" m="0 0 8px" c="dimmed" fz="sm">
          <Link to="/system">Verify the history</Link>
        </Box>
      )}
    </section>
  );
};
