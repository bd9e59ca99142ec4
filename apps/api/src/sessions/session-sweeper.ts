// The sweeper removes expired data of session types: held seats, seats of disconnected players, and ended sessions. It
// ends sessions that are idle or too old, and registers players who took a seat during their deletion. It computes the
// fill of sessions that an earlier version of the service has written. It works in batches, in one process at a time,
// through the queue that joins use. It can be stopped between any two batches.
import { NIL } from 'uuid';
import { deleteInBatches, repeat, SERVICE_ACCOUNT, ServiceError } from '../platform/index.ts';
import type { DeletedPlayer, ExpiredSeat, ExpiryStore } from './expiry-store.ts';
import { removeExpiredSeats } from './seat-rules.ts';
import type { SessionQueue } from './session-queue.ts';
import type { SessionService } from './session-service.ts';

const SEATS_PER_BATCH = 500;
const CONCURRENT_SESSIONS = 8;
const ENDED_PER_BATCH = 50;
const EVENTS_PER_BATCH = 5_000;
const DELETED_PER_BATCH = 500;
const FILLS_PER_BATCH = 1_000;
const DAY_MS = 24 * 60 * 60_000;
/** The interval between searches for ended sessions whose type sets no retention. A search reads one row per type. */
const DEFAULT_RETENTION_INTERVAL_MS = 60 * 60_000;
const INTERVAL_MS = 5_000;
/**
 * Each sweep checks the deletions of this period again. A seat may be committed long after its player was found
 * registered, and a deletion after the time in its audit record: minutes, if every attempt of a write times out. The
 * rest allows for clock differences.
 */
const DELETIONS_OVERLAP_MS = 600_000;

type SessionSweeperOptions = {
  store: ExpiryStore;
  queue: Pick<SessionQueue, 'change'>;
  endOutlived: SessionService['endOutlived'];
  /** The retention of ended sessions whose type sets none; absent: for ever. */
  endedSessionDays: number | undefined;
  counters: {
    countExpiredSeats(seats: number): void;
    countDeletedSessions(sessions: number): void;
  };
  /** Called with the reason when a sweep ends early; the next one tries again. */
  onFailure: (error: unknown) => void;
  now?: () => Date;
  intervalMs?: number;
};

export const createSessionSweeper = ({
  store,
  queue,
  endOutlived,
  endedSessionDays,
  counters,
  onFailure,
  now = () => new Date(),
  intervalMs = INTERVAL_MS,
}: SessionSweeperOptions) => {
  /** The first sweep of a process checks all deletions, since perhaps no process has swept since the last of them. */
  let deletionsFrom = new Date(0);
  let defaultRetentionFrom = new Date(0);

  const sweepAll = async (signal: AbortSignal): Promise<void> => {
    await registerSeated(signal);
    const ttls = await store.readTtls();
    if (ttls.held) await sweepSeats(store.findHeldSeats, signal);
    if (ttls.absent) await sweepSeats(store.findAbsentSeats, signal);
    for (const { type, seconds } of ttls.ages) {
      await endSessions(store.findAged, type, seconds, signal);
    }
    for (const { type, seconds } of ttls.idle) {
      await endSessions(store.findIdle, type, seconds, signal);
    }
    for (const { type, seconds } of ttls.retentions) {
      await deleteEnded(type, new Date(now().getTime() - seconds * 1000), signal);
    }
    const own = new Set(ttls.retentions.map(({ type }) => type));
    if (endedSessionDays !== undefined) await sweepOtherTypes(endedSessionDays, own, signal);
    for (let isDone = false; !isDone && !signal.aborted; ) {
      isDone = await store.storeFills(FILLS_PER_BATCH);
    }
  };

  const sweepOtherTypes = async (
    days: number,
    own: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<void> => {
    const startedAt = now();
    if (startedAt < defaultRetentionFrom) return;
    const until = new Date(startedAt.getTime() - days * DAY_MS);
    const retentionStart = await store.readRetentionStart();
    // Sessions that ended before the upgrade are kept for these days after it, so none of them is deleted yet.
    if (retentionStart === null || until < retentionStart) return;
    let type = await store.findNextEndedType('');
    while (type !== null && !signal.aborted) {
      if (!own.has(type)) await deleteEnded(type, until, signal);
      type = await store.findNextEndedType(type);
    }
    if (signal.aborted) return;
    defaultRetentionFrom = new Date(startedAt.getTime() + DEFAULT_RETENTION_INTERVAL_MS);
  };

  const registerSeated = async (signal: AbortSignal): Promise<void> => {
    const startedAt = now().getTime();
    let after: Omit<DeletedPlayer, 'playerUuid'> = { at: deletionsFrom, auditId: NIL };
    while (!signal.aborted) {
      const deleted = await store.findDeletedPlayers(after, DELETED_PER_BATCH);
      await store.registerSeated(deleted.map(({ playerUuid }) => playerUuid));
      after = deleted.at(-1) ?? after;
      if (deleted.length === DELETED_PER_BATCH) continue;
      deletionsFrom = new Date(startedAt - DELETIONS_OVERLAP_MS);
      return;
    }
  };

  const sweepSeats = async (
    findSeats: ExpiryStore['findHeldSeats'],
    signal: AbortSignal,
  ): Promise<void> => {
    const startedAt = now();
    for (let after: ExpiredSeat | null = null; !signal.aborted; ) {
      const seats: ExpiredSeat[] = await findSeats(startedAt, after, SEATS_PER_BATCH);
      const keys = [...new Set(seats.map(({ sessionKey }) => sessionKey))];
      for (let first = 0; first < keys.length && !signal.aborted; first += CONCURRENT_SESSIONS) {
        await Promise.all(keys.slice(first, first + CONCURRENT_SESSIONS).map(sweepOne));
      }
      after = seats.at(-1) ?? null;
      if (seats.length < SEATS_PER_BATCH) return;
    }
  };

  /** A batch of which none can be ended now is left to the next sweep. */
  const endSessions = async (
    find: ExpiryStore['findAged'],
    type: string,
    seconds: number,
    signal: AbortSignal,
  ): Promise<void> => {
    const until = new Date(now().getTime() - seconds * 1000);
    for (let isDone = false; !isDone && !signal.aborted; ) {
      const found = await find(type, until, ENDED_PER_BATCH);
      const ended: boolean[] = [];
      for (let first = 0; first < found.length && !signal.aborted; first += CONCURRENT_SESSIONS) {
        const names = found.slice(first, first + CONCURRENT_SESSIONS);
        ended.push(...(await Promise.all(names.map(endOutlived))));
      }
      isDone = found.length < ENDED_PER_BATCH || !ended.includes(true);
    }
  };

  /** A session that has ended, or is too busy, is left to the next sweep. */
  const sweepOne = async (sessionKey: string): Promise<void> => {
    let expired = 0;
    try {
      await queue.change(sessionKey, {
        accountId: SERVICE_ACCOUNT,
        alone: true,
        decide: (session, at) => {
          const result = removeExpiredSeats(session, at);
          expired = result?.events.filter(({ kind }) => kind === 'seat_expired').length ?? 0;
          return result;
        },
      });
      counters.countExpiredSeats(expired);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  };

  /** Events first, in separate batches: a session may have any number of them. */
  const deleteEnded = async (type: string, until: Date, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const keys = await store.findEnded(type, until, ENDED_PER_BATCH);
      if (keys.length === 0) return;
      const deleteEvents = (limit: number) => store.deleteEvents(keys, until, limit);
      await deleteInBatches(EVENTS_PER_BATCH, deleteEvents, signal);
      if (signal.aborted) return;
      counters.countDeletedSessions(await store.deleteSessions({ type, keys }, until, now()));
    }
  };

  /** Sweeps once. False when another process is sweeping. */
  const sweep = (signal: AbortSignal = new AbortController().signal): Promise<boolean> =>
    store.runAlone(() => sweepAll(signal));
  return {
    sweep,
    /** Sweeps at intervals. The result stops it and waits for the current batch. */
    start: (): (() => Promise<void>) => repeat(sweep, { intervalMs, onFailure }),
  };
};
