// Reads pages of histories from a replica when it is recent enough, otherwise from the primary.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { HistoryStore } from './history-store.ts';
import { createHistoryStore } from './history-store.ts';

export type ReplicaOptions = {
  replica: Pick<Database, 'pool'>;
  /** A replica that takes longer than this, in milliseconds, counts as unavailable. */
  patienceMs?: number;
  /**
   * An unavailable replica is not used for this long, in milliseconds. Then one page tries it, and all follow once it
   * responds.
   */
  pauseMs?: number;
  /** Called when the replica becomes unavailable, and when it is available again. */
  onChange: (isAway: boolean, error?: unknown) => void;
};

/** The newest position of a sandbox on the replica. Positions are in commit order there as well. */
const READ_HEAD = {
  name: 'history_replica_head',
  text: 'SELECT head_seq FROM sandbox WHERE sandbox_id = $1::uuid',
};

/**
 * A history starts on the primary, which fixes its newest position, so that clients see their own edits. Pages are read
 * from the replica if it has reached that position. The check uses the same connection, since several replicas may have
 * one address.
 */
export const createReplicaStore = (
  primary: HistoryStore,
  { replica, patienceMs = 1_000, pauseMs = 5_000, onChange }: ReplicaOptions,
): HistoryStore => {
  let askAgainAt: number | null = null;
  const settle = (isAway: boolean, error?: unknown): void => {
    const wasAway = askAgainAt !== null;
    askAgainAt = isAway ? performance.now() + pauseMs : null;
    if (isAway !== wasAway) onChange(isAway, error);
  };
  /** While the replica does not respond, only one page waits for it. */
  const isLeftAlone = (): boolean => {
    if (askAgainAt === null) return false;
    if (performance.now() < askAgainAt) return true;
    askAgainAt = performance.now() + pauseMs;
    return false;
  };
  return {
    start: primary.start,
    readPage: async (scope, range, total) => {
      const readFromPrimary = () => primary.readPage(scope, range, total);
      if (total === 0 || isLeftAlone()) return readFromPrimary();
      try {
        const page = await onConnection(replica.pool, patienceMs, async (client) => {
          const [head] = await runPrepared<{ head_seq: number }>(client, READ_HEAD, [
            scope.sandboxId,
          ]);
          if ((head?.head_seq ?? 0) < range.asOf) return null;
          return createHistoryStore({ pool: client }).readPage(scope, range, total);
        });
        settle(false);
        return page ?? readFromPrimary();
      } catch (error) {
        settle(true, error);
        return readFromPrimary();
      }
    },
  };
};

type Pool = Database['pool'];
type Client = Exclude<Parameters<typeof runPrepared>[0], Pool> & {
  release(destroy: boolean): void;
};

/** Rejects after `patienceMs`; a connection that was in use then is not used again. */
const onConnection = async <Result>(
  pool: Pool,
  patienceMs: number,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The replica took too long.')), patienceMs);
  const connecting = pool.connect();
  let client: Client | undefined;
  let failed = true;
  try {
    client = await Promise.race([connecting, tooLate]);
    const result = await Promise.race([work(client), tooLate]);
    failed = false;
    return result;
  } finally {
    clearTimeout(timer);
    if (client) client.release(failed);
    else connecting.then((late) => late.release(false)).catch(() => {});
  }
};
