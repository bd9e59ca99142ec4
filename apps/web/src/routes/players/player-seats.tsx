import { Link } from '@tanstack/react-router';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { defineColumns } from '../../components/data-table/columns.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Tag } from '../../components/tag/tag.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { WordTag } from '../../features/sessions/word-tag.tsx';

const LIVE_MS = 3_000;
/** The head of the table, and its bar above. */
const FRAME_HEIGHT = 74;
const ROW_HEIGHT = 36;
const MOST_ROWS = 8;

type Answer = ApiOutputs['players']['sessions'];
type Seat = Answer['seats'][number];

const rowsOf = (page: Answer) => page.seats;
/** One session name can be used again after its end: the times tell them apart. */
const rowId = ({ type, session_id, joined, invited }: Seat) =>
  JSON.stringify([type, session_id, invited ?? joined]);

const SessionLink = ({ type, session_id }: Seat) => (
  <span className="mono">
    <Link to="/sessions/$type/$id" params={{ type, id: session_id }} title={session_id}>
      {session_id}
    </Link>
  </span>
);

const COLUMNS = defineColumns<Seat>([
  { id: 'session', header: 'Session', width: 120, grow: true, cell: SessionLink },
  { id: 'type', header: 'Type', width: 110, isOnPhone: false, cell: ({ type }) => type },
  { id: 'team', header: 'Team', width: 70, align: 'end', cell: ({ team_id }) => team_id },
  {
    id: 'status',
    header: 'Seat',
    width: 160,
    cell: ({ status, absent_since, session_ended }) => (
      <>
        <WordTag of="seat" value={status} /> {absent_since && <Tag tone="warn">Absent</Tag>}{' '}
        {session_ended && <Tag>Ended</Tag>}
      </>
    ),
  },
  {
    id: 'platform',
    header: 'Platform',
    width: 120,
    isOnPhone: false,
    cell: ({ platform }) => platform ?? '–',
  },
  {
    id: 'version',
    header: 'Client',
    width: 90,
    isOnPhone: false,
    cell: ({ version }) => version ?? '–',
  },
  {
    id: 'at',
    header: 'Since',
    width: 140,
    isOnPhone: false,
    cell: ({ joined, invited }) => {
      const at = joined ?? invited;
      return at ? <TimeText at={at} /> : '–';
    },
  },
]);

export const PlayerSeats = ({ playerUuid }: { playerUuid: string }) => {
  const input = { player_uuid: playerUuid };
  const rows = usePagedRows({
    queryKey: [...trpc.players.sessions.pathKey(), input],
    fetchPage: (cursor, signal) => api.players.sessions.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: LIVE_MS,
  });
  const height = FRAME_HEIGHT + ROW_HEIGHT * Math.min(MOST_ROWS, Math.max(1, rows.rows.length)) + 4;
  return (
    <DataTable
      label="Seats"
      rows={rows}
      columns={COLUMNS}
      height={`${height}px`}
      empty={<EmptyState title="This player has no seat, and had none" />}
    />
  );
};
