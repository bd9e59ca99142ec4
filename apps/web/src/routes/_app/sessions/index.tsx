import { InstanceHealth, JoinStatus, Platform } from '@muster/contract';
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { z } from 'zod';
import type { ApiInputs, ApiOutputs } from '../../../api/client.ts';
import { api, trpc } from '../../../api/client.ts';
import { usePermission } from '../../../api/me.ts';
import { EndMatching, EndSelected } from '../../../features/sessions/end-sessions.tsx';
import type { IdleTime } from '../../../features/sessions/idle-times.ts';
import { IDLE_SECONDS } from '../../../features/sessions/idle-times.ts';
import { StateTag } from '../../../features/sessions/session-labels.tsx';
import type { SessionRow } from '../../../features/sessions/session-rows.ts';
import { sessionRowId } from '../../../features/sessions/session-rows.ts';
import { SESSION_FILTERS, SessionsFilters } from '../../../features/sessions/sessions-filters.tsx';
import { ActionButton, LinkButton } from '../../../ui/action-button.tsx';
import { useCommand } from '../../../ui/commands.ts';
import { Tag } from '../../../ui/facts.tsx';
import { useFilters } from '../../../ui/filters.tsx';
import { Name } from '../../../ui/names.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { usePagedRows } from '../../../ui/table/paged-rows.ts';
import { defineColumns } from '../../../ui/table/table-model.ts';
import { TimeText } from '../../../ui/time.tsx';
import { momentParam, tableSearchFields, textParam } from '../../../ui/url-state.tsx';
import classes from './index.module.css';

const IDLE_TIMES = Object.keys(IDLE_SECONDS) as [IdleTime, ...IdleTime[]];

const SessionsSearch = z.object({
  ...tableSearchFields,
  type: textParam,
  player: textParam,
  platform: Platform.optional().catch(undefined),
  joinable: z.enum(['yes', 'no']).optional().catch(undefined),
  fill: z.enum(['empty', 'open', 'full']).optional().catch(undefined),
  join_status: JoinStatus.optional().catch(undefined),
  instance_health: InstanceHealth.optional().catch(undefined),
  idle: z.enum(IDLE_TIMES).optional().catch(undefined),
  absent: z.enum(['yes', 'no']).optional().catch(undefined),
  created_from: momentParam,
  created_to: momentParam,
  state: z.literal('ended').optional().catch(undefined),
});

export const Route = createFileRoute('/_app/sessions/')({
  validateSearch: SessionsSearch,
  component: SessionsPage,
});
type SessionsSearch = z.infer<typeof SessionsSearch>;

const LIVE_MS = 2_000;
const MAY_CREATE = ['session:*'] as const;

type Input = NonNullable<ApiInputs['sessions']['count']>;

const rowsOf = (page: ApiOutputs['sessions']['list']) => page.sessions;

const toInput = (search: SessionsSearch): Input => {
  // The router also passes other parameters of the URL. They must not become part of the query.
  const { cols, sort, sel, player, joinable, state, idle, absent, ...filters } =
    SessionsSearch.parse(search);
  return {
    ...filters,
    player_uuid: player,
    joinable: joinable && joinable === 'yes',
    idle_seconds: idle && IDLE_SECONDS[idle],
    has_absent: absent && absent === 'yes',
    ended: state === 'ended' ? true : undefined,
  };
};

function SessionsPage() {
  const input = toInput(Route.useSearch());
  const navigate = useNavigate();
  const mayCreate = usePermission(MAY_CREATE);
  const rows = usePagedRows({
    queryKey: [...trpc.sessions.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.sessions.list.query({ ...input, cursor }, { signal }),
    fetchCount: (signal) => api.sessions.count.query(input, { signal }),
    rowsOf,
    rowId: sessionRowId,
    liveMs: LIVE_MS,
  });
  const { isFiltered } = useFilters(SESSION_FILTERS);
  // A page of a rare match may be empty and still have a next page.
  const isEmpty =
    !rows.isLoading && !rows.error && !rows.hasMore && rows.rows.length + rows.newRows === 0;
  const create = () => void navigate({ to: '/sessions/new' });
  useCommand({ label: 'New session', keys: 'n', enabled: mayCreate, run: create });
  const open = ({ session }: SessionRow) =>
    void navigate({
      to: '/sessions/$type/$id',
      params: { type: session.type, id: session.session_id },
    });
  return (
    <Page
      title="Sessions"
      layout="fill"
      beside={<Tag>Whole service</Tag>}
      actions={
        <>
          <EndMatching filter={input} isFiltered={isFiltered} isEmpty={isEmpty} />
          <LinkButton to="/sessions/try-it">Try a join</LinkButton>
          <ActionButton anyOf={MAY_CREATE} onClick={create}>
            New session
          </ActionButton>
        </>
      }
    >
      <SessionsFilters />
      <DataTable
        label="sessions"
        rows={rows}
        columns={SESSION_COLUMNS}
        onOpen={open}
        filters={SESSION_FILTERS}
        selectedActions={
          input.ended
            ? undefined
            : (ids, clear) => <EndSelected ids={ids} known={rows.rows} onDone={clear} />
        }
        empty={
          <EmptyState title="No sessions are running">
            Game servers create sessions, and this list shows them as they change. To see how it
            works, create one with “New session” and send it a player with “Try a join”.
          </EmptyState>
        }
      />
    </Page>
  );
}

const SessionLink = ({ session }: SessionRow) => (
  <span className="mono">
    <Link
      to="/sessions/$type/$id"
      params={{ type: session.type, id: session.session_id }}
      title={session.session_id}
    >
      <Name name={session.session_id} />
    </Link>
  </span>
);

const Instance = ({ session: { instance } }: SessionRow) => {
  if (!instance) return <>–</>;
  const { instance_health: health } = instance;
  const isIll = health === 'unhealthy' || health === 'degraded';
  return (
    <>
      <StateTag of="instance" value={instance.join_status} />{' '}
      {isIll && <StateTag of="health" value={health} />}
    </>
  );
};

const SESSION_COLUMNS = defineColumns<SessionRow>({
  session: { header: 'Session', width: 120, grow: true, cell: SessionLink },
  type: { header: 'Type', width: 110, cell: ({ session }) => <Name name={session.type} /> },
  seats: {
    header: 'Seats',
    width: 132,
    cell: ({ seats, capacity }) => <SeatMeter seats={seats} capacity={capacity} />,
  },
  joinable: {
    header: 'Open to',
    width: 100,
    isOnPhone: false,
    cell: ({ session }) => (session.joinable ? 'Everyone' : 'Invited'),
  },
  platforms: {
    header: 'Platforms',
    width: 150,
    isOnPhone: false,
    cell: ({ session }) =>
      [...new Set(session.platform_session.map(({ platform }) => platform))].join(', ') || '–',
  },
  activity: {
    header: 'Last activity',
    width: 130,
    isOnPhone: false,
    // Without any activity it is the creation, as for the filter.
    cell: (row) => <TimeText at={row.last_activity_at ?? row.session.created} />,
  },
  absent: {
    header: 'Absent',
    width: 90,
    align: 'end',
    isOnPhone: false,
    cell: ({ absent }) => (absent === 0 ? '–' : absent.toLocaleString('en')),
  },
  instance: { header: 'Instance', width: 165, isOnPhone: false, cell: Instance },
  region: {
    header: 'Region',
    width: 110,
    isShown: false,
    cell: ({ session }) => session.region_id ?? '–',
  },
  version: {
    header: 'Version',
    width: 100,
    isShown: false,
    cell: ({ session }) => session.instance?.version ?? '–',
  },
  created: {
    header: 'Created',
    width: 140,
    isOnPhone: false,
    cell: ({ session, ended }) => (
      <>
        <TimeText at={session.created} /> {ended && <Tag>Ended</Tag>}
      </>
    ),
  },
});

/** The number of taken seats, as text and as a bar. */
const SeatMeter = ({ seats, capacity }: { seats: number; capacity: number }) => (
  <span className={classes.meter}>
    <span className="numbers">
      {seats} of {capacity}
    </span>
    <span className={classes.track} aria-hidden>
      <span
        className={classes.bar}
        data-full={seats >= capacity || undefined}
        style={{ width: `${capacity === 0 ? 0 : Math.min(100, (100 * seats) / capacity)}%` }}
      />
    </span>
  </span>
);
