// Between RFC 3339 in UTC and what an <input type="datetime-local"> holds.
import type { TimeZone } from '../../preferences/time-zone.ts';

/** Empty for what is no time. */
export const toInputValue = (at: string, zone: TimeZone): string => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const shifted =
    zone === 'utc' ? date : new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
};

/** Undefined for what is no time. */
export const toInstant = (value: string, zone: TimeZone): string | undefined => {
  const date = new Date(zone === 'utc' ? `${value}Z` : value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};
