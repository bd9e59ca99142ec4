/** Runs the tasks of one key one after the other, in the order in which they came. */
export type KeyedQueue = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/**
 * Writers of one sandbox wait here and not at its row lock, where each would hold a connection that others need.
 * Between processes the row lock decides.
 */
export const createKeyedQueue = (): KeyedQueue => {
  const tails = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task);
    const tail = result
      .catch(() => {})
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return result;
  };
};
