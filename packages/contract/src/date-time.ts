import { z } from 'zod';

/** A date-time as the service writes it: RFC 3339 section 5.6, UTC, milliseconds. */
export const DateTime = z.iso
  .datetime({ offset: true, error: 'Must be an RFC 3339 date-time' })
  .meta({
    format: 'date-time',
    examples: ['2026-03-14T09:26:53.589Z'],
  });

/** The largest magnitude of a JavaScript date, in seconds (ECMA-262 section 21.4.1.1). */
const MAX_UNIX_SECONDS = 8_640_000_000_000;

const Rfc3339 = z.iso.datetime({
  offset: true,
  error: 'Must be an RFC 3339 date-time with a time zone, or Unix seconds',
});

/**
 * A date-time as the service reads it: RFC 3339 with a zone, or Unix seconds (integer or decimal) as
 * UTC. Read as the RFC 3339 UTC string that the service will write.
 */
export const DateTimeInput = z
  .union([Rfc3339, z.number().min(-MAX_UNIX_SECONDS).max(MAX_UNIX_SECONDS)], {
    error: 'Must be an RFC 3339 date-time with a time zone, or Unix seconds',
  })
  .transform((value, context) => {
    const date = new Date(typeof value === 'number' ? Math.round(value * 1000) : value);
    if (isWritable(date)) return date.toISOString();
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'Must lie in the years 0001 to 9999',
      params: { type: 'value_error.datetime' },
    });
    return z.NEVER;
  });

/** RFC 3339 has four digits for the year; PostgreSQL has no year zero. */
const isWritable = (date: Date): boolean => {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999;
};
