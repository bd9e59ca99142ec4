import { Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { z } from 'zod';
import type { ApiOutputs } from '../../../api/client.ts';
import { api, trpc } from '../../../api/client.ts';
import { toApiError } from '../../../api/errors.ts';
import { PlayerDialog } from '../../../features/players/player-dialog.tsx';
import { RefusedJoinsOfPlayer } from '../../../features/refused-joins/refused-joins-of-player.tsx';
import type { TimelineEvent } from '../../../features/sessions/event-sentence.tsx';
import { StateTag } from '../../../features/sessions/session-labels.tsx';
import { Timeline } from '../../../features/sessions/timeline.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { CopyableId } from '../../../ui/copyable.tsx';
import { Facts, Tag } from '../../../ui/facts.tsx';
import { Name } from '../../../ui/names.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyState, QueryState } from '../../../ui/states.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { usePagedRows } from '../../../ui/table/paged-rows.ts';
import { defineColumns } from '../../../ui/table/table-model.ts';
import { TimeText } from '../../../ui/time.tsx';
import { tableSearchFields } from '../../../ui/url-state.tsx';
import classes from './$id.module.css';

const PlayerSearch = z.object(tableSearchFields);

export const Route = createFileRoute('/_app/players/$id')({
  validateSearch: PlayerSearch,
  component: PlayerPage,
});

function PlayerPage() {
  const { id } = Route.useParams();
  const query = useQuery(trpc.players.get.queryOptions({ player_uuid: id }));
  const events = usePlayerEvents(id);
  const [isOpen, dialog] = useDisclosure(false);
  const player = query.data;
  const isUnregistered = query.isError && toApiError(query.error).code === 'player_not_found';
  return (
    <Page
      title={player?.display_name ?? `Player ${id.slice(0, 8)}`}
      above={<Link to="/players">Players</Link>}
      actions={
        player && (
          <ActionButton variant="default" anyOf={['player:*']} onClick={dialog.open}>
            Edit
          </ActionButton>
        )
      }
    >
      {isUnregistered ? (
        <EmptyState title="This player is not registered">
          A player is registered with the first accepted join, or by a game backend.
        </EmptyState>
      ) : (
        <QueryState query={query}>
          {({ player_uuid, player_id, registered, platforms }) => (
            <Facts
              className={classes.identities}
              facts={{
                UUID: <CopyableId id={player_uuid} label="player id" />,
                'Legacy id': <LegacyId id={player_id} />,
                'First seen': <TimeText at={registered} />,
                Platforms: <Platforms names={platforms} />,
              }}
            />
          )}
        </QueryState>
      )}
      <RefusedJoinsOfPlayer playerUuid={id} />
      {player && (
        <>
          <section aria-labelledby="seats">
            <Title order={2} id="seats">
              Seats
            </Title>
            <PlayerSeats playerUuid={player.player_uuid} />
          </section>
          <Timeline rows={events} />
          {isOpen && <PlayerDialog onClose={dialog.close} player={player} />}
        </>
      )}
    </Page>
  );
}

const LegacyId = ({ id }: { id: number | undefined }) =>
  id === undefined ? 'none' : <CopyableId id={String(id)} label="legacy id" />;

const Platforms = ({ names }: { names: readonly string[] }) =>
  names.length === 0
    ? 'none yet'
    : names.map((name) => (
        <span key={name}>
          <Tag>{name}</Tag>{' '}
        </span>
      ));

const LIVE_MS = 3_000;
/** The height of the table's header and toolbar. */
const FRAME_HEIGHT = 74;
const ROW_HEIGHT = 36;
const MAX_ROWS = 8;

type SeatPage = ApiOutputs['players']['sessions'];
type Seat = SeatPage['seats'][number];

const rowsOf = (page: SeatPage) => page.seats;
/** A session id can be reused after the session ends, so the time distinguishes rows. */
const rowId = ({ type, session_id, joined, invited }: Seat) =>
  JSON.stringify([type, session_id, invited ?? joined]);

const SessionLink = ({ type, session_id }: Seat) => (
  <span className="mono">
    <Link to="/sessions/$type/$id" params={{ type, id: session_id }} title={session_id}>
      <Name name={session_id} />
    </Link>
  </span>
);

const COLUMNS = defineColumns<Seat>({
  session: { header: 'Session', width: 96, grow: true, cell: SessionLink },
  type: { header: 'Type', width: 110, isOnPhone: false, cell: ({ type }) => <Name name={type} /> },
  team: {
    header: 'Team',
    width: 70,
    align: 'end',
    isOnPhone: false,
    cell: ({ team_id }) => team_id,
  },
  status: {
    header: 'Seat',
    width: 130,
    cell: ({ status, absent_since }) => (
      <>
        <StateTag of="seat" value={status} /> {absent_since && <Tag tone="warn">Absent</Tag>}
      </>
    ),
  },
  state: {
    header: 'Session state',
    width: 150,
    cell: ({ session_ended }) =>
      session_ended ? (
        <>
          Ended <TimeText at={session_ended} />
        </>
      ) : (
        <Tag tone="good">Running</Tag>
      ),
  },
  platform: { header: 'Platform', isOnPhone: false, cell: ({ platform }) => platform ?? '–' },
  version: { header: 'Client', width: 90, isOnPhone: false, cell: ({ version }) => version ?? '–' },
  at: {
    header: 'Since',
    width: 140,
    isOnPhone: false,
    cell: ({ joined, invited }) => {
      const at = joined ?? invited;
      return at ? <TimeText at={at} /> : '–';
    },
  },
});

const PlayerSeats = ({ playerUuid }: { playerUuid: string }) => {
  const input = { player_uuid: playerUuid };
  const rows = usePagedRows({
    queryKey: [...trpc.players.sessions.pathKey(), input],
    fetchPage: (cursor, signal) => api.players.sessions.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: LIVE_MS,
  });
  const height = FRAME_HEIGHT + ROW_HEIGHT * Math.min(MAX_ROWS, Math.max(1, rows.rows.length)) + 4;
  return (
    <DataTable
      label="seats"
      rows={rows}
      columns={COLUMNS}
      height={`${height}px`}
      empty={
        <EmptyState title="This player has no seat">
          Seats that the player has left are in the timeline below.
        </EmptyState>
      }
    />
  );
};

const eventId = ({ event_id }: TimelineEvent) => event_id;

/** The events of one player in all sessions, in the same form as a session's timeline. */
const usePlayerEvents = (player_uuid: string) => {
  const input = { player_uuid };
  const eventsOf = useCallback(
    ({ events }: ApiOutputs['players']['events']): TimelineEvent[] =>
      events.map(({ type, session_id, ...event }) => {
        return { ...event, player_uuid, session: { type, session_id } };
      }),
    [player_uuid],
  );
  return usePagedRows({
    queryKey: [...trpc.players.events.pathKey(), input],
    fetchPage: (cursor, signal) => api.players.events.query({ ...input, cursor }, { signal }),
    rowsOf: eventsOf,
    rowId: eventId,
    liveMs: LIVE_MS,
  });
};
