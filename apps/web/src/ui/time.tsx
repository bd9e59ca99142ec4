import type { SyntheticEvent } from 'react';
import { useSyncExternalStore } from 'react';
import { timeZone } from '../api/preferences.ts';
import { formatAbsolute, formatRelative } from './format-time.ts';

type TimeTextProps = {
  /** RFC 3339. */
  at: string;
  /** `relative` (default) shows the elapsed time, and the exact time on hover and focus. `absolute` does the reverse. */
  form?: 'relative' | 'absolute';
};

export const TimeText = ({ at, form = 'relative' }: TimeTextProps) => {
  const zone = timeZone.use();
  const now = useNow();
  const date = new Date(at);
  const isRelative = form === 'relative';
  // Formatted on demand, because exact times are slow to format and a table has one in every row.
  const tell = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    currentTarget.dataset.hint = isRelative
      ? formatAbsolute(date, zone)
      : formatRelative(date, now);
  };
  return (
    <time
      dateTime={at}
      data-hint=""
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the hint must be reachable by keyboard.
      tabIndex={0}
      onMouseOver={tell}
      onFocus={tell}
    >
      {isRelative ? formatRelative(date, now) : formatAbsolute(date, zone)}
    </time>
  );
};

const TICK_MS = 10_000;
let now = new Date();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = () => {
  now = new Date();
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  if (listeners.size === 1) {
    now = new Date();
    timer = setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
};

/** One clock for all relative times on the page, which ticks every ten seconds. */
export const useNow = (): Date => useSyncExternalStore(subscribe, () => now);
