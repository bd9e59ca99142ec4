import { useDisclosure } from '@mantine/hooks';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ActionButton } from '../../access/action-button.tsx';
import { usePermission } from '../../access/me.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { useCommand } from '../../commands/use-command.ts';
import { defineColumns } from '../../components/data-table/columns.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import { FilterBar, useFilters } from '../../components/filters/filter-bar.tsx';
import { TextFilter } from '../../components/filters/text-filter.tsx';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { PlayerDialog } from './player-dialog.tsx';

const route = getRouteApi('/app/players');
const FILTERS = ['query'];
const MAY_REGISTER = ['player:*'] as const;

type Answer = ApiOutputs['players']['list'];
type Player = Answer['players'][number];

const rowsOf = (page: Answer) => page.players;
const rowId = ({ player_uuid }: Player) => player_uuid;

const COLUMNS = defineColumns<Player>([
  {
    id: 'name',
    header: 'Name',
    width: 160,
    grow: true,
    cell: ({ player_uuid, display_name }) => (
      <Link to="/players/$id" params={{ id: player_uuid }}>
        {display_name ?? `Player ${player_uuid.slice(0, 8)}`}
      </Link>
    ),
  },
  {
    id: 'player_uuid',
    header: 'UUID',
    width: 340,
    isOnPhone: false,
    cell: ({ player_uuid }) => <CopyableId id={player_uuid} label="player id" />,
  },
  {
    id: 'player_id',
    header: 'Legacy id',
    width: 130,
    align: 'end',
    cell: ({ player_id }) => player_id ?? '–',
  },
  {
    id: 'registered',
    header: 'First seen',
    width: 150,
    isOnPhone: false,
    cell: ({ registered }) => <TimeText at={registered} />,
  },
]);

export const PlayersPage = () => {
  const query = route.useSearch().query?.slice(0, 256);
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
  const { isFiltered, clear } = useFilters(FILTERS);
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
        label="Players"
        rows={rows}
        columns={COLUMNS}
        onOpen={({ player_uuid }) => open(player_uuid)}
        isFiltered={isFiltered}
        onClearFilters={clear}
        empty={
          <EmptyState title="No player is known yet">
            Players become known with their first join, or when a game backend registers them.
          </EmptyState>
        }
      />
      <PlayerDialog opened={isOpen} onClose={dialog.close} onSaved={open} />
    </Page>
  );
};
