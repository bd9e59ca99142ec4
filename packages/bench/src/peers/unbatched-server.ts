// The peer *unbatched*: per join, one prepared read of the whole session and one optimistic write, sent when the join
// arrives. What the service would cost without batching, behind the lighter edge of the idiomatic peer.
import { randomUUID } from 'node:crypto';
import { openDatabase, runPrepared } from '@muster/database';
import { checkJoin, JoinRefusedError } from './check-join.ts';
import { limitConcurrency, POOL_SIZE } from './limit-concurrency.ts';
import type { LoadedSeat, LoadedSession } from './loaded-session.ts';
import type { PeerJoin } from './serve-joins.ts';
import { serveJoins } from './serve-joins.ts';
import { READ_SESSION, WRITE_SEAT } from './unbatched-statements.ts';

/** The pool that the service joins through: both statements find every row by its key. */
const { keyedPool } = openDatabase({ url: process.env.DATABASE_URL ?? '' });

type Read = { session: LoadedSession; known: boolean };

const MAX_ATTEMPTS = 50;

const seatPlayer = async (join: PeerJoin): Promise<LoadedSession> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const session = await tryToSeat(join);
    if (session) return session;
  }
  throw new JoinRefusedError(409, 'session_busy');
};

/** Null when another join has changed the session meanwhile. */
const tryToSeat = async (join: PeerJoin): Promise<LoadedSession | null> => {
  const [read] = await runPrepared<Read>(keyedPool, READ_SESSION, [join.digest, join.playerUuid]);
  if (!read) throw new JoinRefusedError(404, 'platform_session_not_found');
  const { session } = read;
  const { seated, isFirst } = checkJoin(session, join.playerUuid, join.request);
  if (seated) return session;
  const seat = toSeat(join, isFirst ? 'leader' : 'member');
  const written = await runPrepared(
    keyedPool,
    WRITE_SEAT,
    toValues(session, join, seat, read.known),
  );
  return written.length === 1 ? withSeat(session, join.request.team_id, seat) : null;
};

const toSeat = ({ playerUuid, request }: PeerJoin, status: string): LoadedSeat => {
  const now = new Date();
  return {
    ...{ playerUuid, status, seatedAt: now, joinedAt: now },
    platform: request.client_settings.platform ?? null,
    input: request.client_settings.input,
    clientVersion: request.client_version,
    permittedPlatform: request.crossplay_preferences?.permitted_platform ?? null,
    permittedInput: request.crossplay_preferences?.permitted_input ?? null,
    customData: request.custom_data ?? null,
  };
};

const toValues = (session: LoadedSession, join: PeerJoin, seat: LoadedSeat, known: boolean) => [
  session.sessionKey,
  session.version,
  seat.playerUuid,
  join.request.team_id,
  seat.status,
  seat.seatedAt,
  seat.platform,
  seat.input,
  seat.clientVersion,
  seat.permittedPlatform,
  seat.permittedInput,
  JSON.stringify(seat.customData),
  JSON.stringify(toEvents(seat, join.request.team_id)),
  known,
];

const toEvents = ({ status }: LoadedSeat, teamId: number) => {
  const joined = {
    ...{ event_id: randomUUID(), kind: 'player_joined' },
    detail: { team_id: teamId, status },
  };
  return status === 'leader'
    ? [joined, { event_id: randomUUID(), kind: 'leader_changed' }]
    : [joined];
};

const withSeat = (session: LoadedSession, teamId: number, seat: LoadedSeat): LoadedSession => ({
  ...session,
  version: Number(session.version) + 1,
  teams: session.teams.map((team) =>
    Number(team.teamId) === teamId ? { ...team, seats: [...team.seats, seat] } : team,
  ),
});

serveJoins(limitConcurrency(POOL_SIZE, seatPlayer));
