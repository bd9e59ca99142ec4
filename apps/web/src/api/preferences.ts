// Preferences that this browser stores for all open tabs: the time zone of dates and the last sandbox.
import { useSyncExternalStore } from 'react';

/** Returns the fallback when the stored value is invalid or storage is not available. */
const createStoredValue = <Value extends string>(
  name: string,
  fallback: Value,
  accepts: (text: string) => text is Value,
) => {
  const key = `muster.${name}`;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  let current = read(key, accepts) ?? fallback;
  window.addEventListener('storage', (event) => {
    if (event.key !== key) return;
    current = read(key, accepts) ?? fallback;
    notify();
  });
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const get = () => current;
  return {
    get,
    set: (value: Value) => {
      current = value;
      write(key, value);
      notify();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
};

const read = <Value extends string>(
  key: string,
  accepts: (text: string) => text is Value,
): Value | null => {
  try {
    const text = localStorage.getItem(key);
    return text !== null && accepts(text) ? text : null;
  } catch {
    return null;
  }
};

const write = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
};

export type TimeZone = 'local' | 'utc';

/** Whether times are shown in the local time zone or in UTC. */
export const timeZone = createStoredValue<TimeZone>(
  'time-zone',
  'local',
  (text) => text === 'local' || text === 'utc',
);

/** The last open sandbox, which pages outside of a sandbox offer. Empty when there is none. */
export const lastSandbox = createStoredValue<string>('sandbox', '', (text): text is string =>
  /^[0-9a-f-]{36}$/.test(text),
);
