// Formats and parses times: relative, and absolute with the time zone.
import type { TimeZone } from '../api/preferences.ts';

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });

/** The page's clock ticks every ten seconds, so a recent event may be ahead of it. */
const NOW_FROM_SECONDS = -5;
const NOW_TO_SECONDS = 15;

/** "3 minutes ago", "in 2 days", "now". */
export const formatRelative = (date: Date, now: Date): string => {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  if (seconds > NOW_FROM_SECONDS && seconds < NOW_TO_SECONDS) return 'now';
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size);
  if (!step) return relative.format(Math.round(seconds), 'second');
  return relative.format(Math.round(seconds / step[1]), step[0]);
};

const formats = new Map<TimeZone, Intl.DateTimeFormat>();

/** "2026-11-21 04:09:12 UTC", or with the offset of this machine's zone. */
export const formatAbsolute = (date: Date, zone: TimeZone): string => {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second, timeZoneName } = parts;
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${timeZoneName}`;
};

const formatOf = (zone: TimeZone): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    ...(zone === 'utc' && { timeZone: 'UTC' }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: zone === 'utc' ? 'short' : 'longOffset',
  });
  formats.set(zone, made);
  return made;
};

/** Formats RFC 3339 for an input, "2026-11-21 04:09". Empty for an invalid time. */
export const toInputValue = (at: string, zone: TimeZone): string => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const shifted =
    zone === 'utc' ? date : new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19).replace('T', ' ').replace(/:00$/, '');
};

/** A date, or a date and a 24-hour time. */
const TYPED = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?$/;

/** Parses the input as UTC. A date alone is its start. Undefined for an invalid time. */
export const toInstant = (value: string, zone: TimeZone): string | undefined => {
  const [, day, time = '00:00'] = TYPED.exec(value.trim()) ?? [];
  if (day === undefined) return undefined;
  const date = new Date(`${day}T${time}${zone === 'utc' ? 'Z' : ''}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};
