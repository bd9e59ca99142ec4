// Changes of game backends and admins to sessions besides seats: creation and end, structure (details, teams, platform
// sessions and their routes), and the presence of players.
import type { ErrorCode } from '@muster/contract';
import type { Database } from '@muster/database';
import { classifyDatabaseError, Prisma, runPrepared } from '@muster/database';
import { appendToOutbox } from '../events/index.ts';
import type { Actor } from '../platform/index.ts';
import { appendAudit, ServiceError } from '../platform/index.ts';
import type { PlatformSessionState, SessionDetails, SessionName, SessionState } from './session.ts';
import { fillOf, newEventId, sessionKeyOf } from './session.ts';
import type { Creation, Digest } from './session-admin-sql.ts';
import { CREATE_SESSION, toCreationParameters } from './session-admin-sql.ts';
import { requireEtag } from './session-resource.ts';
import type { TimedEvent } from './session-sql.ts';

type Transaction = Prisma.TransactionClient;

/** How long the creation of an ended session may be repeated. */
const REPEATABLE_MS = 24 * 60 * 60_000;

/** Whether a player is connected. */
export type Presence = { playerUuid: string; present: boolean };

export type SessionAdminStore = ReturnType<typeof createSessionAdminStore>;

export const createSessionAdminStore = ({
  prisma,
  keyedPool,
}: Pick<Database, 'prisma' | 'keyedPool'>) => ({
  /**
   * Stores a new session with its held seats, and registers their players. It replaces an ended one with the same id,
   * unless that is what the same creation made. Errors: `session_exists`, `platform_session_taken`, `player_id_taken`,
   * `session_busy`.
   */
  createSession: async (creation: Creation, now: Date): Promise<void> => {
    const parameters = toCreationParameters(creation, endOfRepetition(now));
    type Row = { refusal: ErrorCode | null };
    const creating = runPrepared<Row>(keyedPool, CREATE_SESSION, parameters);
    const [row] = await creating.catch((error: unknown) => {
      const isConflict = classifyDatabaseError(error) === 'conflict';
      throw isConflict ? new ServiceError('session_busy', { cause: error }) : error;
    });
    if (row?.refusal) throw new ServiceError(row.refusal);
  },

  /** Whether the session was created from this input: a live one, or one that ended a day ago at most. */
  isCreatedFrom: async (sessionKey: string, digest: Digest, now: Date): Promise<boolean> =>
    (await prisma.session.count({
      where: {
        sessionKey,
        creationDigest: digest,
        OR: [{ endedAt: null }, { endedAt: { gt: endOfRepetition(now) } }],
      },
    })) > 0,

  /** Deletes a session with all its contents. Errors: `session_not_found`; `session_not_ended` for a live one. */
  deleteSession: async (
    actor: Actor,
    name: SessionName,
    expectedEtag: string | undefined,
    now: Date,
  ): Promise<void> => {
    const sessionKey = sessionKeyOf(name);
    await prisma.$transaction(async (transaction) => {
      const session = await transaction.session.findUnique({ where: { sessionKey } });
      if (!session) throw new ServiceError('session_not_found');
      requireEtag(session, expectedEtag);
      const { incarnation } = session;
      const where = { sessionKey, incarnation, endedAt: { not: null } };
      const { count } = await transaction.session.deleteMany({ where });
      if (count === 0) throw new ServiceError('session_not_ended');
      const target = { type: name.type, session_id: name.sessionId };
      await appendAudit(transaction, actor, { action: 'sessions.delete', target }, now);
    });
  },

  /**
   * Marks a seated player disconnected from now on, or connected again, with event and audit record. A disconnected
   * player keeps the first time. Errors: `session_not_found`, `session_etag_mismatch`, `seat_not_found`, `seat_held`.
   */
  setPresence: async (
    actor: Actor,
    name: SessionName,
    { playerUuid, present }: Presence,
    expectedEtag: string | undefined,
    now: Date,
  ): Promise<void> => {
    const sessionKey = sessionKeyOf(name);
    await prisma.$transaction(async (transaction) => {
      requireEtag(await lockLive(transaction, sessionKey), expectedEtag);
      await checkSeated(transaction, sessionKey, playerUuid);
      const { count } = await transaction.sessionSeat.updateMany({
        where: { sessionKey, playerUuid, absentSince: present ? { not: null } : null },
        data: { absentSince: present ? null : now },
      });
      if (count === 0) return;
      const kind = present ? 'player_present' : 'player_absent';
      const { accountId } = actor;
      await appendEvent(transaction, name, { kind, at: now, accountId, playerUuid });
      const target = { type: name.type, session_id: name.sessionId, player_uuid: playerUuid };
      const entry = { action: 'sessions.setPresence', target, after: { present } };
      await appendAudit(transaction, actor, entry, now);
    });
  },

  /** The timeline of a session, newest first, after an event. */
  listEvents: (sessionKey: string, after: string | null, limit: number) =>
    prisma.sessionEvent.findMany({
      omit: { sessionKey: true },
      where: { sessionKey, ...(after !== null && { eventId: { lt: after } }) },
      orderBy: { eventId: 'desc' },
      take: limit,
    }),
});

/** To the timeline and the feed. The event changes no resource, so it has no version. */
const appendEvent = async (
  transaction: Transaction,
  { type, sessionId }: SessionName,
  { kind, at, accountId, playerUuid }: TimedEvent & { playerUuid: string },
): Promise<void> => {
  const sessionKey = sessionKeyOf({ type, sessionId });
  const eventId = newEventId(at);
  await transaction.sessionEvent.create({
    data: { sessionKey, eventId, occurredAt: at, kind, accountId, playerUuid },
  });
  const event = {
    event_id: eventId,
    occurred_at: at,
    account_id: accountId,
    kind,
    type,
    session_id: sessionId,
    player_uuid: playerUuid,
  };
  await appendToOutbox(transaction, sessionKey, [event]);
};

/** A session that ended at or before it is not returned for a repeated creation. */
const endOfRepetition = (now: Date): Date => new Date(now.getTime() - REPEATABLE_MS);

type Version = { incarnation: string; version: bigint };

/** The lock, which Prisma cannot express, holds the session and its seats until the transaction ends. */
const lockLive = async (transaction: Transaction, sessionKey: string): Promise<Version> => {
  const [live] = await transaction.$queryRaw<Version[]>`
    SELECT incarnation, version FROM session WHERE session_key = ${sessionKey}::uuid AND ended_at IS NULL
    FOR NO KEY UPDATE`;
  if (!live) throw new ServiceError('session_not_found');
  return live;
};

const checkSeated = async (
  transaction: Transaction,
  sessionKey: string,
  playerUuid: string,
): Promise<void> => {
  const seat = await transaction.sessionSeat.findUnique({
    where: { sessionKey_playerUuid: { sessionKey, playerUuid } },
  });
  if (!seat) throw new ServiceError('seat_not_found');
  if (seat.status !== 'leader' && seat.status !== 'member') throw new ServiceError('seat_held');
};

/** Stores sessions without their seats and events. Errors: `session_exists`, `platform_session_taken`. */
export const insertSessions = async (
  transaction: Transaction,
  sessions: readonly SessionState[],
): Promise<void> => {
  // The primary key decides between concurrent creations: the second one waits here for the first.
  const { count } = await transaction.session.createMany({
    skipDuplicates: true,
    data: sessions.map(({ key: sessionKey, details, ...session }) => ({
      sessionKey,
      type: session.type,
      sessionId: session.sessionId,
      incarnation: session.incarnation,
      version: session.version,
      createdAt: session.createdAt,
      fill: fillOf(session),
      ...toDetailColumns(details),
    })),
  });
  if (count < sessions.length) throw new ServiceError('session_exists');
  await transaction.sessionTeam.createMany({ data: sessions.flatMap(toTeamRows) });
  const platformSessions = sessions.flatMap(toPlatformSessionRows);
  await transaction.sessionPlatformSession.createMany({ data: platformSessions });
  await claimRoutes(transaction, platformSessions);
};

/** Writes the teams and platform sessions where they differ by identity. The version was increased before, in the same transaction. */
export const writeStructure = async (
  transaction: Transaction,
  base: SessionState,
  next: SessionState,
): Promise<void> => {
  if (base.teams !== next.teams) await writeTeams(transaction, base, next);
  if (base.platformSessions !== next.platformSessions) {
    await writePlatformSessions(transaction, base, next);
  }
};

const writeTeams = async (transaction: Transaction, base: SessionState, next: SessionState) => {
  const rows = toTeamRows(next);
  await transaction.sessionTeam.deleteMany({
    where: { sessionKey: base.key, teamId: { notIn: rows.map(({ teamId }) => teamId) } },
  });
  for (const { sessionKey, ...update } of rows) {
    const where = { sessionKey_teamId: { sessionKey, teamId: update.teamId } };
    await transaction.sessionTeam.upsert({ where, create: { sessionKey, ...update }, update });
  }
};

const writePlatformSessions = async (
  transaction: Transaction,
  base: SessionState,
  next: SessionState,
) => {
  const { key: sessionKey } = base;
  const removed = without(base.platformSessions, next.platformSessions);
  await deleteRoutes(transaction, sessionKey, removed);
  await transaction.sessionPlatformSession.deleteMany({ where: { sessionKey } });
  if (next.platformSessions.length === 0) return;
  await transaction.sessionPlatformSession.createMany({ data: toPlatformSessionRows(next) });
  const platformSessions = without(next.platformSessions, base.platformSessions);
  await claimRoutes(transaction, toPlatformSessionRows({ ...next, platformSessions }));
};

const without = (
  all: readonly PlatformSessionState[],
  others: readonly PlatformSessionState[],
): PlatformSessionState[] => {
  const known = new Set(others.map(({ digest }) => digest));
  return all.filter(({ digest }) => !known.has(digest));
};

/**
 * A platform session leads to one session: the primary key of the routes decides which one was first. Rows are sorted,
 * since two sessions that claim the same ones could deadlock.
 */
const claimRoutes = async (
  transaction: Transaction,
  routes: readonly Prisma.PlatformSessionRouteCreateManyInput[],
) => {
  const { count } = await transaction.platformSessionRoute.createMany({
    data: routes
      .map(({ digest, sessionKey }) => ({ digest, sessionKey }))
      .sort((a, b) => Buffer.compare(a.digest, b.digest)),
    skipDuplicates: true,
  });
  if (count < routes.length) throw new ServiceError('platform_session_taken');
};

const deleteRoutes = async (
  transaction: Transaction,
  sessionKey: string,
  removed: readonly PlatformSessionState[],
) => {
  if (removed.length === 0) return;
  const digest = { in: removed.map((platformSession) => toBytes(platformSession.digest)) };
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

const toTeamRows = ({ key: sessionKey, teams }: SessionState) =>
  teams.map((team, position) => ({
    sessionKey,
    teamId: BigInt(team.teamId),
    position,
    maxSize: team.maxSize,
    ticketIds: toJson(team.ticketIds),
    customData: toJson(team.customData),
  }));

const toPlatformSessionRows = ({ key: sessionKey, platformSessions }: SessionState) =>
  platformSessions.map(({ digest, platform, type, idBase64, customData }, position) => ({
    sessionKey,
    digest: toBytes(digest),
    position,
    platform,
    platformSessionType: type,
    idBase64,
    customData: toJson(customData),
  }));
