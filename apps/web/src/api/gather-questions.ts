// Many single questions of one page draw become one request.

type Waiting<Value> = {
  resolve: (value: Value | null) => void;
  reject: (error: unknown) => void;
};

/**
 * Returns a function that asks for one id; what is asked within one turn of the event loop goes to `askMany`
 * together, at most `mostIds` at a time. An id that `askMany` leaves out is answered with null.
 */
export const createGatherer = <Value>(
  askMany: (ids: string[]) => Promise<ReadonlyMap<string, Value>>,
  mostIds: number,
) => {
  let waiting = new Map<string, Waiting<Value>[]>();

  const answer = async (asked: readonly (readonly [string, Waiting<Value>[]])[]) => {
    try {
      const values = await askMany(asked.map(([id]) => id));
      for (const [id, all] of asked) for (const { resolve } of all) resolve(values.get(id) ?? null);
    } catch (error) {
      for (const [, all] of asked) for (const { reject } of all) reject(error);
    }
  };

  const answerAll = () => {
    const asked = [...waiting];
    waiting = new Map();
    for (let at = 0; at < asked.length; at += mostIds) void answer(asked.slice(at, at + mostIds));
  };

  return (id: string): Promise<Value | null> =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setTimeout(answerAll);
      waiting.set(id, [...(waiting.get(id) ?? []), { resolve, reject }]);
    });
};
