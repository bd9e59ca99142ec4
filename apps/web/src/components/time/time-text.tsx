import { useMemo } from 'react';
import { timeZone } from '../../preferences/time-zone.ts';
import { formatAbsolute, formatRelative } from './format-time.ts';
import classes from './time-text.module.css';
import { useNow } from './use-now.ts';

type TimeTextProps = {
  /** RFC 3339. */
  at: string;
  /** `relative` (default) says how long ago, and when exactly on hover and focus; `absolute` the reverse. */
  form?: 'relative' | 'absolute';
};

export const TimeText = ({ at, form = 'relative' }: TimeTextProps) => {
  const zone = timeZone.use();
  const now = useNow();
  const absolute = useMemo(() => formatAbsolute(new Date(at), zone), [at, zone]);
  const relative = formatRelative(new Date(at), now);
  const [shown, told] = form === 'relative' ? [relative, absolute] : [absolute, relative];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time is also for the keyboard.
    <time className={classes.time} dateTime={at} data-hint={told} tabIndex={0}>
      {shown}
    </time>
  );
};
