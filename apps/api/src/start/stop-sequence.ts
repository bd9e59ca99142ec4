// Stops what was started, the last first. A part that fails to stop does not keep the others running.

export type StopSequence = {
  /** Remembers how to stop a part that has just started. */
  add(name: string, stop: () => Promise<unknown>): void;
  /** Safe to call twice: the second call waits for the first. */
  run(): Promise<void>;
};

export const createStopSequence = (
  onFailure: (name: string, error: unknown) => void,
): StopSequence => {
  const parts: { name: string; stop: () => Promise<unknown> }[] = [];
  let running: Promise<void> | undefined;
  const stopAll = async () => {
    for (let part = parts.pop(); part; part = parts.pop()) {
      const { name, stop } = part;
      await stop().catch((error: unknown) => onFailure(name, error));
    }
  };
  return {
    add: (name, stop) => parts.push({ name, stop }),
    run: () => (running ??= stopAll()),
  };
};
