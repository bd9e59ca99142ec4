import { useDisclosure } from '@mantine/hooks';
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { z } from 'zod';
import type { ApiOutputs } from '../../../api/client.ts';
import { api, trpc } from '../../../api/client.ts';
import { usePermission } from '../../../api/me.ts';
import { PlayerDialog } from '../../../features/players/player-dialog.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { useCommand } from '../../../ui/commands.ts';
import { CopyableId } from '../../../ui/copyable.tsx';
import { FilterBar, TextFilter } from '../../../ui/filters.tsx';
import { Name } from '../../../ui/names.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { usePagedRows } from '../../../ui/table/paged-rows.ts';
import { defineColumns } from '../../../ui/table/table-model.ts';
import { TimeText } from '../../../ui/time.tsx';
import { tableSearchFields, textParam } from '../../../ui/url-state.tsx';

const PlayersSearch = z.object({
  ...tableSearchFields,
  query: textParam,
});

export const Route = createFileRoute('/_app/players/')({
  validateSearch: PlayersSearch,
  component: PlayersPage,
});

const FILTERS = ['query'];
const MAY_REGISTER = ['player:*'] as const;

type Answer = ApiOutputs['players']['list'];
type Player = Answer['players'][number];

const rowsOf = (page: Answer) => page.players;
const rowId = ({ player_uuid }: Player) => player_uuid;

const COLUMNS = defineColumns<Player>({
  name: {
    header: 'Name',
    width: 160,
    grow: true,
    cell: ({ player_uuid, display_name }) => (
      <Link to="/players/$id" params={{ id: player_uuid }}>
        <Name name={display_name ?? `Player ${player_uuid.slice(0, 8)}`} id={player_uuid} />
      </Link>
    ),
  },
  player_uuid: {
    header: 'UUID',
    width: 340,
    isOnPhone: false,
    cell: ({ player_uuid }) => <CopyableId id={player_uuid} label="player id" />,
  },
  player_id: {
    header: 'Legacy id',
    width: 130,
    align: 'end',
    cell: ({ player_id }) => player_id ?? '–',
  },
  registered: {
    header: 'First seen',
    width: 150,
    isOnPhone: false,
    cell: ({ registered }) => <TimeText at={registered} />,
  },
});

function PlayersPage() {
  const query = Route.useSearch().query?.slice(0, 256);
  const navigate = useNavigate();
  const [isOpen, dialog] = useDisclosure(false);
  const mayRegister = usePermission(MAY_REGISTER);
  const input = { query };
  const rows = usePagedRows({
    queryKey: [...trpc.players.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.players.list.query({ ...input, cursor }, { signal }),
    fetchCount: (signal) => api.players.count.query(input, { signal }),
    rowsOf,
    rowId,
  });
  useCommand({ label: 'New player', keys: 'n', enabled: mayRegister, run: dialog.open });
  const open = (id: string) => void navigate({ to: '/players/$id', params: { id } });
  return (
    <Page
      title="Players"
      layout="fill"
      actions={
        <ActionButton anyOf={MAY_REGISTER} onClick={dialog.open}>
          New player
        </ActionButton>
      }
    >
      <FilterBar names={FILTERS}>
        <TextFilter
          name="query"
          label="Search"
          placeholder="Name, legacy id or UUID"
          isMain
          width={300}
        />
      </FilterBar>
      <DataTable
        label="players"
        rows={rows}
        columns={COLUMNS}
        onOpen={({ player_uuid }) => open(player_uuid)}
        filters={FILTERS}
        empty={
          <EmptyState title="No players yet">
            Players become known with their first join, or when a game backend registers them.
          </EmptyState>
        }
      />
      {isOpen && <PlayerDialog onClose={dialog.close} onSaved={open} />}
    </Page>
  );
}
