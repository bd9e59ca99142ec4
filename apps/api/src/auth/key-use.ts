// Counts the requests of each key in memory, and writes them once a minute: a request costs no statement.
import type { CountedUse, KeyRefusal, KeyUseStore, StoredDay } from './key-use-store.ts';
import { MAX_REFUSALS } from './key-use-store.ts';

const WRITE_AFTER_MS = 60_000;
/** Keys in memory, with their days; the use of any other one is not counted in this minute. */
const MAX_KEYS = 5_000;
/** Days that `read` returns. */
const SHOWN_DAYS = 14;

/** Why a request was refused. */
type RefusedUse = Omit<KeyRefusal, 'at'>;

type Use = {
  key_id: string;
  day: string;
  requests: number;
  refused: number;
  refusals: KeyRefusal[];
};

export type KeyUse = ReturnType<typeof createKeyUse>;

export const createKeyUse = (
  store: KeyUseStore,
  now: () => Date,
  onFailure: (error: unknown) => void,
) => {
  let used = new Map<string, Use>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (used.size === 0) return;
    const uses = [...used.values()].map(toCountedUse);
    used = new Map();
    // Counts that cannot be written are lost. The database is then unavailable, and most requests fail.
    await store.add(uses, now()).catch(onFailure);
  };

  /** One write at a time. */
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };

  return {
    /** Counts one request, with the reason if it was refused. */
    record(keyId: string, refusal?: RefusedUse): void {
      const at = now().toISOString();
      // A request of 23:59 may be written after midnight.
      const day = at.slice(0, 10);
      const counter = `${keyId} ${day}`;
      const use = used.get(counter) ?? openUse(keyId, day);
      if (use.requests === 0) {
        if (used.size >= MAX_KEYS) return;
        used.set(counter, use);
      }
      use.requests += 1;
      if (refusal) {
        use.refused += 1;
        use.refusals.push({ at, ...refusal });
        if (use.refusals.length > MAX_REFUSALS) use.refusals.shift();
      }
      timer ??= setTimeout(flush, WRITE_AFTER_MS).unref();
    },

    /** Includes what this process has counted up to now. */
    async read(keyId: string): Promise<KeyUseView> {
      await flush();
      const days = await store.list(keyId, SHOWN_DAYS, now());
      return toView(days, now());
    },

    /** Writes what is left. */
    flush,
  };
};

type KeyUseView = {
  /** The last 14 days in UTC, newest first. */
  days: { day: string; requests: number; refused: number }[];
  last_refusals: KeyRefusal[];
};

const DAY_MS = 86_400_000;

const toView = (stored: readonly StoredDay[], now: Date): KeyUseView => {
  const byDay = new Map(stored.map((one) => [one.day, one]));
  const days = Array.from({ length: SHOWN_DAYS }, (_, ago) => {
    const day = new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
    const { requests = 0, refused = 0 } = byDay.get(day) ?? {};
    return { day, requests, refused };
  });
  const refusals = stored.flatMap(({ lastRefusals }) => lastRefusals);
  return { days, last_refusals: refusals.slice(0, MAX_REFUSALS) };
};

const openUse = (key_id: string, day: string): Use => ({
  key_id,
  day,
  requests: 0,
  refused: 0,
  refusals: [],
});

const toCountedUse = ({ refusals, ...use }: Use): CountedUse => ({
  ...use,
  last_refusals: refusals.toReversed(),
});
