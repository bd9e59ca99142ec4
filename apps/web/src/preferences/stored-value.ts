// A small value that this browser keeps, such as the time zone of dates; shared by all open tabs.
import { useSyncExternalStore } from 'react';

export type StoredValue<Value extends string> = {
  get(): Value;
  set(value: Value): void;
  use(): Value;
};

/** A value that is not `accepted` (or cannot be read: storage may be forbidden) is the fallback. */
export const createStoredValue = <Value extends string>(
  name: string,
  fallback: Value,
  accepts: (text: string) => text is Value,
): StoredValue<Value> => {
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
    set: (value) => {
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
    // The choice then lasts as long as the page.
  }
};
