// The peer *idiomatic*: an interactive Prisma transaction that locks the session row, reads it with its relations,
// checks, and writes. This is the usual first implementation, and a reasonable one.
import { randomUUID } from 'node:crypto';
import type { Prisma } from '@muster/database';
import { openDatabase } from '@muster/database';
import type { LoadedSession, PeerJoin } from './loaded-session.ts';
import { toSeat } from './loaded-session.ts';
import {
  checkJoin,
  JoinRefusedError,
  limitConcurrency,
  POOL_SIZE,
  serveJoins,
} from './serve-joins.ts';

const INCLUDE = {
  teams: { orderBy: { position: 'asc' } },
  seats: { orderBy: { seatedAt: 'asc' } },
  platformSessions: { orderBy: { position: 'asc' } },
} satisfies Prisma.SessionInclude;

const { prisma } = openDatabase({ url: process.env.DATABASE_URL ?? '' });

/** A transaction may wait for its turn: with 64 callers and ten connections, that is the normal case. */
const PATIENCE = { maxWait: 30_000, timeout: 30_000 };

const seatPlayer = (join: PeerJoin): Promise<LoadedSession> =>
  prisma.$transaction((transaction) => seatInTransaction(transaction, join), PATIENCE);

const seatInTransaction = async (
  transaction: Prisma.TransactionClient,
  join: PeerJoin,
): Promise<LoadedSession> => {
  const { playerUuid, request } = join;
  const where = { digest: new Uint8Array(join.digest) };
  const route = await transaction.platformSessionRoute.findUnique({ where });
  if (!route) throw new JoinRefusedError(404, 'platform_session_not_found');
  const { sessionKey } = route;
  await transaction.$queryRaw`SELECT 1 FROM session WHERE session_key = ${sessionKey}::uuid FOR UPDATE`;
  const session = await readSession(transaction, sessionKey);
  const player = await transaction.player.findUnique({ where: { playerUuid } });
  const { seated, isFirst } = checkJoin(session, playerUuid, request);
  if (seated) return session;
  if (!player) await transaction.player.create({ data: { playerUuid } });
  const status = isFirst ? 'leader' : 'member';
  const { team_id: teamId, custom_data: customData } = request;
  const seat = { ...toSeat(join, status), sessionKey, teamId, ...(customData && { customData }) };
  await transaction.sessionSeat.create({ data: seat });
  const { version } = await transaction.session.update({
    where: { sessionKey },
    data: { version: { increment: 1 } },
  });
  const event = toEvent(sessionKey, join, version);
  const detail = { team_id: teamId, status };
  await transaction.sessionEvent.create({ data: { ...event, kind: 'player_joined', detail } });
  if (isFirst) await transaction.sessionEvent.create({ data: { ...event, ...leaderChanged() } });
  return readSession(transaction, sessionKey);
};

const readSession = async (
  transaction: Prisma.TransactionClient,
  sessionKey: string,
): Promise<LoadedSession> => {
  const where = { sessionKey, endedAt: null };
  const session = await transaction.session.findUnique({ where, include: INCLUDE });
  if (!session) throw new JoinRefusedError(404, 'platform_session_not_found');
  const { teams, seats } = session;
  const seatsOf = (teamId: bigint) => seats.filter((seat) => seat.teamId === teamId);
  return { ...session, teams: teams.map((team) => ({ ...team, seats: seatsOf(team.teamId) })) };
};

const toEvent = (sessionKey: string, join: PeerJoin, sessionVersion: bigint) => ({
  sessionKey,
  eventId: randomUUID(),
  occurredAt: new Date(),
  sessionVersion,
  accountId: join.accountId,
  playerUuid: join.playerUuid,
});

const leaderChanged = () => ({ eventId: randomUUID(), kind: 'leader_changed' });

serveJoins(limitConcurrency(POOL_SIZE, seatPlayer));
