import { Tooltip } from '@mantine/core';
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
  const date = new Date(at);
  const [relative, absolute] = [formatRelative(date, now), formatAbsolute(date, zone)];
  const [shown, told] = form === 'relative' ? [relative, absolute] : [absolute, relative];
  return (
    <Tooltip label={told}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time is also for the keyboard. */}
      <time className={classes.time} dateTime={at} tabIndex={0}>
        {shown}
      </time>
    </Tooltip>
  );
};
