// Notices a database that no longer answers, so that nobody waits for it: those who do are told, and those who come are
// turned away, until it answers again. What is merely slow goes on.
import { ServiceError } from '../errors/service-error.ts';
import { PassingList } from '../passing/index.ts';
import { watchStalls } from './watch-stalls.ts';

export type DatabaseWatch = {
  /**
   * Answers as `work` does. Rejects with `service_unavailable` when the database is found to be away before or meanwhile;
   * what `work` has begun goes on then, and whether it wrote anything is unknown.
   */
  guard<Result>(work: () => Promise<Result>): Promise<Result>;
  isAway(): boolean;
  /** Ends the watch. */
  stop(): void;
};

export type DatabaseWatchOptions = {
  /** Rejects when the database does not answer within a moment. */
  ping: () => Promise<unknown>;
  /** Work that takes longer than this makes the watch ask the database. */
  patienceMs?: number;
  /** Pause between two questions to a database that is away. */
  pauseMs?: number;
  /** Hears when the database goes away, and when it is back. */
  onChange?: (isAway: boolean) => void;
};

type Waiter = { since: number; giveUp: () => void };

/** How often a process that stalls asks before it believes that there is no answer. */
const MAX_ATTEMPTS = 2;
/** How often the watch looks for work that takes long. */
const LOOK_MS = 100;

export const createDatabaseWatch = ({
  ping,
  patienceMs = 500,
  pauseMs = 200,
  onChange = () => {},
}: DatabaseWatchOptions): DatabaseWatch => {
  /** In the order of their arrival, so that the first has waited longest. */
  const waiting = new PassingList<Waiter>();
  let isAway = false;
  let isAsking = false;
  let timer: NodeJS.Timeout | undefined;

  /** An answer that did not come says nothing where this process has stalled meanwhile: it asks again, unless it knows. */
  const answers = async (): Promise<boolean> => {
    const attempts = isAway ? 1 : MAX_ATTEMPTS;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const hasStalled = watchStalls();
      const answered = await ping().then(
        () => true,
        () => false,
      );
      if (!hasStalled() || answered) return answered;
    }
    return false;
  };

  const look = async (): Promise<void> => {
    timer = undefined;
    const [longest] = waiting;
    const isDue = isAway || (longest && performance.now() - longest.since > patienceMs);
    if (isDue) await ask();
    lookLater();
  };

  const ask = async (): Promise<void> => {
    isAsking = true;
    const wasAway = isAway;
    isAway = !(await answers());
    isAsking = false;
    if (isAway !== wasAway) onChange(isAway);
    if (!isAway) return;
    for (const { giveUp } of waiting) giveUp();
  };

  const lookLater = (): void => {
    if (timer || isAsking || isStopped || (waiting.size === 0 && !isAway)) return;
    timer = setTimeout(() => void look(), isAway ? pauseMs : LOOK_MS);
    timer.unref();
  };

  let isStopped = false;
  return {
    isAway: () => isAway,
    guard: (work) => {
      if (isAway) return Promise.reject(away());
      return new Promise((resolve, reject) => {
        const giveUp = () => {
          leave();
          reject(away());
        };
        const place = waiting.add({ since: performance.now(), giveUp });
        const leave = () => waiting.remove(place);
        lookLater();
        work().finally(leave).then(resolve, reject);
      });
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};

/** Waits as long as it takes. */
export const unguarded: DatabaseWatch['guard'] = (work) => work();

const away = (): ServiceError => new ServiceError('service_unavailable');
