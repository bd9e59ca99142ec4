// Loads the demo into an empty database: once, completely or not at all, also when several processes start together.
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@muster/database';
import { Prisma } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { openSandbox } from '../../catalogue/index.ts';
import { insertSessions, RECORD_REFUSED_JOINS, toRecordValues } from '../../sessions/index.ts';
import type { DemoSandbox } from './demo-catalogue.ts';
import { createDemoSandboxes } from './demo-catalogue.ts';
import type { DemoPlayer } from './demo-players.ts';
import { createDemoPlayers } from './demo-players.ts';
import { createSeededRandom } from './demo-random.ts';
import { createDemoRefusedJoins } from './demo-refused-joins.ts';
import { DEMO_SESSION_TYPES } from './demo-session-plans.ts';
import type { DemoSession } from './demo-sessions.ts';
import { createDemoSessions } from './demo-sessions.ts';

type LoadDemoOptions = {
  /** The demo's year ends the day before this time; now by default. */
  now?: () => Date;
  /** Called with a sentence when loading begins; not called when there is nothing to load. */
  onProgress?: (message: string) => void;
};

type Transaction = Prisma.TransactionClient;

/** Generous, since it only has to end a stuck transaction. */
const TIMEOUT_MS = 60_000;
const RETRY_MS = 100;

/** Held by the loading process until its transaction ends; an arbitrary number that no other lock of ours uses. */
const LOCK = 'SELECT pg_try_advisory_xact_lock(206015370418273) AS "isLocked"';

/** Returns true after loading, and false, without a change, when there is any sandbox, session, type or player. */
export const loadDemoData = async (
  { prisma }: Pick<Database, 'prisma'>,
  { now = () => new Date(), onProgress }: LoadDemoOptions = {},
): Promise<boolean> => {
  const loadAlone = async (transaction: Transaction): Promise<boolean> => {
    const [lock] = await transaction.$queryRawUnsafe<{ isLocked: boolean }[]>(LOCK);
    // Checked again, in a separate statement: the previous holder of the lock may have loaded.
    if (!lock?.isLocked || !(await isEmpty(transaction))) return false;
    onProgress?.('Loading demo data');
    await loadInto(transaction, now());
    return true;
  };
  while (await isEmpty(prisma)) {
    if (await prisma.$transaction(loadAlone, { timeout: TIMEOUT_MS })) return true;
    await delay(RETRY_MS);
  }
  return false;
};

const isEmpty = async (database: Transaction): Promise<boolean> => {
  const found =
    (await database.sandbox.findFirst({ select: { sandboxId: true } })) ??
    (await database.session.findFirst({ select: { sessionKey: true } })) ??
    (await database.player.findFirst({ select: { playerUuid: true } })) ??
    (await database.sessionType.findFirst({ select: { type: true } }));
  return found === null;
};

const loadInto = async (transaction: Transaction, now: Date): Promise<void> => {
  const players = createDemoPlayers(now);
  await insertPlayers(transaction, players);
  await transaction.sessionType.createMany({
    data: DEMO_SESSION_TYPES.map((type) => ({
      type: type.type,
      versionMatch: type.version_match,
      defaultTeams: type.default_teams,
      invitationTtlSeconds: type.invitation_ttl_seconds ?? null,
      reservationTtlSeconds: type.reservation_ttl_seconds ?? null,
    })),
  });
  const sessions = createDemoSessions(players, now);
  await insertSessions(
    transaction,
    sessions.map(({ session }) => session),
  );
  await transaction.sessionSeat.createMany({ data: sessions.flatMap(toSeatRows) });
  await transaction.sessionEvent.createMany({ data: sessions.flatMap(toEventRows) });
  const refused = createDemoRefusedJoins(sessions, players, now);
  await transaction.$queryRawUnsafe(
    `${RECORD_REFUSED_JOINS.text}::text`,
    ...toRecordValues(refused),
  );
  for (const sandbox of createDemoSandboxes(now)) await insertSandbox(transaction, sandbox);
};

const insertPlayers = async (
  transaction: Transaction,
  players: readonly DemoPlayer[],
): Promise<void> => {
  await transaction.player.createMany({
    data: players.map(({ playerUuid, displayName = null, registeredAt }) => ({
      playerUuid,
      displayName,
      registeredAt,
    })),
  });
  await transaction.playerLegacyId.createMany({
    data: players.flatMap(({ playerUuid, playerId }) =>
      playerId === undefined ? [] : [{ playerUuid, playerId }],
    ),
  });
};

/** In the chain of its sandbox, like every edit. */
const insertSandbox = async (
  transaction: Transaction,
  { versions, ...sandbox }: DemoSandbox,
): Promise<void> => {
  await transaction.sandbox.create({ data: sandbox });
  const opened = await openSandbox(transaction, sandbox.sandboxId);
  await opened?.append(versions);
};

const toSeatRows = ({ session }: DemoSession) =>
  [...session.seats.values()].map((seat) => ({
    sessionKey: session.key,
    playerUuid: seat.playerUuid,
    teamId: seat.teamId,
    status: seat.status,
    seatedAt: seat.seatedAt,
    playerId: seat.playerId ?? null,
    platform: seat.platform ?? null,
    input: seat.input ?? null,
    clientVersion: seat.clientVersion ?? null,
    permittedPlatform: seat.crossplay?.permitted_platform ?? null,
    permittedInput: seat.crossplay?.permitted_input ?? null,
    customData: seat.customData ?? Prisma.DbNull,
    invitingPlayerUuid: seat.invitingPlayerUuid ?? null,
    invitedAt: seat.invitedAt ?? null,
    joinedAt: seat.joinedAt ?? null,
  }));

/** Events of the same time sort by the sequence inside their ids. */
const toEventRows = ({ session, events }: DemoSession) => {
  const random = createSeededRandom(Number.parseInt(session.key.slice(0, 8), 16));
  return events.map(({ at, kind, accountId, sessionVersion, playerUuid, detail }, seq) => ({
    sessionKey: session.key,
    kind,
    accountId,
    occurredAt: at,
    eventId: uuidv7({ msecs: at.getTime(), seq, random: random.bytes(16) }),
    sessionVersion: sessionVersion ?? null,
    playerUuid: playerUuid ?? null,
    detail: detail === undefined ? Prisma.DbNull : (detail as Prisma.InputJsonObject),
  }));
};
