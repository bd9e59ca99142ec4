// What a run has started and made, so that a run that is stopped before its time leaves none of it behind.

export type Acquired<Thing> = {
  thing: Thing;
  /** Safe to call twice: the second call waits for the first. */
  release: () => Promise<void>;
};

const releases = new Set<() => Promise<void>>();
const stopping = new AbortController();

/** Aborted when the run is being stopped: programs that end by themselves are run with it. */
export const stopSignal = stopping.signal;

/** Starts or makes a thing that has to go again. Once the run is being stopped it throws instead, and starts nothing. */
export const acquire = <Thing>(
  start: () => Thing,
  stop: (thing: Thing) => Promise<void>,
): Acquired<Thing> => {
  stopSignal.throwIfAborted();
  const thing = start();
  let released: Promise<void> | undefined;
  const release = (): Promise<void> => {
    released ??= stop(thing).finally(() => releases.delete(release));
    return released;
  };
  releases.add(release);
  return { thing, release };
};

/** Releases all that is there, the newest first. One that fails does not keep the others. */
export const releaseEverything = async (report: (sentence: string) => void): Promise<void> => {
  stopping.abort();
  for (const release of [...releases].reverse()) {
    await release().catch((error: unknown) => report(`Something could not be stopped: ${error}`));
  }
};
