// Whether the service should get requests: it has started, is not stopping, and its database answers.

export type Readiness = {
  markReady(): void;
  markStopping(): void;
  isStopping(): boolean;
  /** Never rejects. Concurrent calls share one question to the database. */
  isReady(): Promise<boolean>;
};

export type ReadinessOptions = {
  /** Rejects when the database does not answer. */
  askDatabase: () => Promise<unknown>;
  timeoutMs?: number;
};

export const createReadiness = ({
  askDatabase,
  timeoutMs = 1_000,
}: ReadinessOptions): Readiness => {
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  let asking: Promise<boolean> | undefined;
  const ask = () => {
    asking ??= answersInTime(askDatabase, timeoutMs).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    markReady: () => {
      if (state === 'starting') state = 'ready';
    },
    markStopping: () => {
      state = 'stopping';
    },
    isStopping: () => state === 'stopping',
    isReady: async () => state === 'ready' && (await ask()) && state === 'ready',
  };
};

const answersInTime = async (
  askDatabase: () => Promise<unknown>,
  timeoutMs: number,
): Promise<boolean> => {
  const { promise: tooLate, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  const answered = askDatabase().then(
    () => true,
    () => false,
  );
  return Promise.race([answered, tooLate]).finally(() => clearTimeout(timer));
};
