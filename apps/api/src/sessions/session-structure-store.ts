// Writes what only game backends change: details, teams, platform sessions and the routes to them.
import { Prisma } from '@muster/database';
import { ServiceError } from '../errors/service-error.ts';
import type {
  PlatformSessionState,
  SessionDetails,
  SessionState,
  TeamState,
} from './session-state.ts';

type Transaction = Prisma.TransactionClient;

/** Writes the parts that differ by identity. The version has been moved before, in the same transaction. */
export const writeStructure = async (
  transaction: Transaction,
  base: SessionState,
  next: SessionState,
): Promise<void> => {
  const { key: sessionKey } = base;
  if (base.details !== next.details) {
    await transaction.session.update({
      where: { sessionKey },
      data: toDetailColumns(next.details),
    });
  }
  if (base.teams !== next.teams) await writeTeams(transaction, base, next);
  if (base.platformSessions !== next.platformSessions) {
    await writePlatformSessions(transaction, base, next);
  }
};

/** Stores a new session with everything but seats, which a new session does not have. */
export const insertSession = async (
  transaction: Transaction,
  session: SessionState,
): Promise<void> => {
  const { key: sessionKey, type, sessionId, incarnation, createdAt } = session;
  await transaction.session.create({
    data: {
      ...{ sessionKey, type, sessionId, incarnation, createdAt },
      ...toDetailColumns(session.details),
      teams: { create: session.teams.map(toTeamColumns) },
    },
  });
  await writePlatformSessions(transaction, { ...session, platformSessions: [] }, session);
};

/** A session that has ended gives its platform sessions free and is not found any more. */
export const markEnded = async (
  transaction: Transaction,
  session: SessionState,
  now: Date,
): Promise<void> => {
  const { key: sessionKey } = session;
  await transaction.session.update({ where: { sessionKey }, data: { endedAt: now } });
  await transaction.sessionSeat.updateMany({
    where: { sessionKey, absentSince: { not: null } },
    data: { absentSince: null },
  });
  await deleteRoutes(transaction, session.key, session.platformSessions);
};

const writeTeams = async (transaction: Transaction, base: SessionState, next: SessionState) => {
  const kept = new Set(next.teams.map((team) => team.teamId));
  const gone = base.teams.map((team) => team.teamId).filter((teamId) => !kept.has(teamId));
  await transaction.sessionTeam.deleteMany({
    where: { sessionKey: base.key, teamId: { in: gone.map(BigInt) } },
  });
  for (const [position, team] of next.teams.entries()) {
    const columns = toTeamColumns(team, position);
    await transaction.sessionTeam.upsert({
      where: { sessionKey_teamId: { sessionKey: base.key, teamId: columns.teamId } },
      create: { sessionKey: base.key, ...columns },
      update: columns,
    });
  }
};

const writePlatformSessions = async (
  transaction: Transaction,
  base: SessionState,
  next: SessionState,
) => {
  const kept = new Set(next.platformSessions.map(({ digest }) => digest));
  const gone = base.platformSessions.filter(({ digest }) => !kept.has(digest));
  await deleteRoutes(transaction, base.key, gone);
  await transaction.sessionPlatformSession.deleteMany({ where: { sessionKey: base.key } });
  if (next.platformSessions.length === 0) return;
  await transaction.sessionPlatformSession.createMany({
    data: next.platformSessions.map((platformSession, position) => ({
      sessionKey: base.key,
      ...toPlatformSessionColumns(platformSession, position),
    })),
  });
  const known = new Set(base.platformSessions.map(({ digest }) => digest));
  const added = next.platformSessions.filter(({ digest }) => !known.has(digest));
  await claimRoutes(transaction, base.key, added);
};

/** A platform session leads to one session: the primary key of the routes decides who was first. */
const claimRoutes = async (
  transaction: Transaction,
  sessionKey: string,
  added: readonly PlatformSessionState[],
) => {
  const data = added.map(({ digest }) => ({ digest: toBytes(digest), sessionKey }));
  const { count } = await transaction.platformSessionRoute.createMany({
    data,
    skipDuplicates: true,
  });
  if (count < added.length) throw new ServiceError('platform_session_taken');
};

const deleteRoutes = async (
  transaction: Transaction,
  sessionKey: string,
  gone: readonly PlatformSessionState[],
) => {
  if (gone.length === 0) return;
  const digest = { in: gone.map((platformSession) => toBytes(platformSession.digest)) };
  await transaction.platformSessionRoute.deleteMany({ where: { digest, sessionKey } });
};

const toBytes = (hex: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(hex, 'hex'));

/** An absent value clears its column: SQL NULL, not the JSON null. */
const toJson = (value: object | undefined) =>
  value === undefined ? Prisma.DbNull : (value as Prisma.InputJsonObject);

const toDetailColumns = (details: SessionDetails) => ({
  joinable: details.joinable,
  regionId: details.regionId ?? null,
  createdByMatchmaking: details.createdByMatchmaking ?? null,
  customData: toJson(details.customData),
  instance: toJson(details.instance),
  match: toJson(details.match),
  matchmaking: toJson(details.matchmaking),
  matchmakingResults: toJson(details.matchmakingResults),
  backfill: toJson(details.backfill),
  browser: toJson(details.browser),
});

const toTeamColumns = (team: TeamState, position: number) => ({
  teamId: BigInt(team.teamId),
  position,
  maxSize: team.maxSize,
  ticketIds: toJson(team.ticketIds),
  customData: toJson(team.customData),
});

const toPlatformSessionColumns = (platformSession: PlatformSessionState, position: number) => ({
  digest: toBytes(platformSession.digest),
  position,
  platform: platformSession.platform,
  platformSessionType: platformSession.type,
  idBase64: platformSession.idBase64,
  customData: toJson(platformSession.customData),
});
