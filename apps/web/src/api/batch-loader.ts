// Loads single values in batches: all ids that one render requests are sent in one request.

type Waiting<Value> = {
  resolve: (value: Value | null) => void;
  reject: (error: unknown) => void;
};

/** The maximum number of ids in one request to the admin API. */
const MAX_IDS = 200;

/**
 * Returns a function that loads one id. All ids that are requested in one tick of the event loop go to `loadMany`
 * together, at most `MAX_IDS` at a time. The result is null for an id that `loadMany` leaves out.
 */
export const createBatchLoader = <Value>(
  loadMany: (ids: string[]) => Promise<ReadonlyMap<string, Value>>,
) => {
  let waiting = new Map<string, Waiting<Value>[]>();

  const answer = async (asked: readonly (readonly [string, Waiting<Value>[]])[]) => {
    try {
      const values = await loadMany(asked.map(([id]) => id));
      for (const [id, all] of asked) for (const { resolve } of all) resolve(values.get(id) ?? null);
    } catch (error) {
      for (const [, all] of asked) for (const { reject } of all) reject(error);
    }
  };

  const answerAll = () => {
    const asked = [...waiting];
    waiting = new Map();
    for (let at = 0; at < asked.length; at += MAX_IDS) void answer(asked.slice(at, at + MAX_IDS));
  };

  return (id: string): Promise<Value | null> =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setTimeout(answerAll);
      waiting.set(id, [...(waiting.get(id) ?? []), { resolve, reject }]);
    });
};
