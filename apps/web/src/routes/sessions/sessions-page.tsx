import { Button } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ActionButton } from '../../access/action-button.tsx';
import { usePermission } from '../../access/me.ts';
import type { ApiInputs, ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { useCommand } from '../../commands/use-command.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import { useFilters } from '../../components/filters/filter-bar.tsx';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import type { SessionRow } from './sessions-columns.tsx';
import { SESSION_COLUMNS, sessionRowId } from './sessions-columns.tsx';
import { SessionsFilters } from './sessions-filters.tsx';
import type { SessionsSearch } from './sessions-search.ts';
import { SESSION_FILTERS } from './sessions-search.ts';

const route = getRouteApi('/app/sessions');
const LIVE_MS = 2_000;
const MAY_CREATE = ['session:*'] as const;

type Input = NonNullable<ApiInputs['sessions']['count']>;

const rowsOf = (page: ApiOutputs['sessions']['list']) => page.sessions;

const toInput = (search: SessionsSearch): Input => ({
  type: search.type,
  player_uuid: search.player,
  platform: search.platform,
  joinable: search.joinable && search.joinable === 'yes',
  fill: search.fill,
  join_status: search.join_status,
  instance_health: search.instance_health,
  created_from: search.created_from,
  created_to: search.created_to,
  ended: search.state === 'ended' ? true : undefined,
});

export const SessionsPage = () => {
  const input = toInput(route.useSearch());
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
  const { isFiltered, clear } = useFilters(SESSION_FILTERS);
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
      actions={
        <>
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/sessions/try-it" {...props} />}
          >
            Try a join
          </Button>
          <ActionButton anyOf={MAY_CREATE} onClick={create}>
            New session
          </ActionButton>
        </>
      }
    >
      <SessionsFilters />
      <DataTable
        label="Sessions"
        rows={rows}
        columns={SESSION_COLUMNS}
        onOpen={open}
        isFiltered={isFiltered}
        onClearFilters={clear}
        empty={
          <EmptyState title="No session is running">
            Game servers create sessions, and players join them here before your eyes. To see how it
            works, make one with “New session” and send it a player with “Try a join”.
          </EmptyState>
        }
      />
    </Page>
  );
};
