// Reads the pages of histories from a replica where it has what the page shows, and from the primary otherwise.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { HistoryStore } from './history-store.ts';
import { createHistoryStore } from './history-store.ts';

export type ReplicaOptions = {
  replica: Pick<Database, 'pool'>;
  /** A replica that takes longer than this, in milliseconds, counts as unavailable. */
  patienceMs?: number;
  /** An unavailable replica is left alone for this long, in milliseconds; then one page tries it, and all follow once it answers. */
  pauseMs?: number;
  /** Called when the replica becomes unavailable, and when it is back. */
  onChange?: (isAway: boolean, error?: unknown) => void;
};

/** How far the replica is with a sandbox: positions are in the order of commits, on the replica as well. */
const READ_HEAD = {
  name: 'history_replica_head',
  text: 'SELECT head_seq FROM sandbox WHERE sandbox_id = $1::uuid',
};

/**
 * A history begins on the primary, which fixes its newest position: a client that has just edited sees its edit. The pages
 * are read from the replica if it has come that far, on the connection that has said so, since several replicas may share
 * one address.
 */
export const createReplicaStore = (
  primary: HistoryStore,
  { replica, patienceMs = 1_000, pauseMs = 5_000, onChange = () => {} }: ReplicaOptions,
): HistoryStore => {
  let askAgainAt: number | null = null;
  const settle = (isAway: boolean, error?: unknown): void => {
    const wasAway = askAgainAt !== null;
    askAgainAt = isAway ? performance.now() + pauseMs : null;
    if (isAway !== wasAway) onChange(isAway, error);
  };
  /** A replica that is still silent delays one page, not all that are asked for in that second. */
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
