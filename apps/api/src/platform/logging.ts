// Structured logs on standard error: standard output belongs to what the program prints for people.
import type { DestinationStream, Logger as PinoLogger } from 'pino';
import pino from 'pino';

export type Logger = PinoLogger;

/** No caller should log these. Redaction is the second line of defence. */
const SECRETS = ['authorization', 'cookie', 'password', 'secret', 'token'];
const REDACTED = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
const STANDARD_ERROR = 2;

/** `destination` is the open file, or the stream, that the lines go to. */
export const createLogger = (
  level: string,
  destination: number | DestinationStream = STANDARD_ERROR,
): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED, censor: '[secret]' },
      serializers: { err: (err: unknown) => (err instanceof Error ? describeError(err) : err) },
    },
    typeof destination === 'number'
      ? pino.destination({ fd: destination, sync: true })
      : destination,
  );

/** Causes may form a circle. */
const MAX_CAUSES = 5;

/**
 * What is logged of an error. Libraries put what they were given into properties of their own, such as the `input` of an invalid
 * URL or the `detail` of PostgreSQL, so that only these are taken. `hide` removes from a message what must be in no log.
 */
export const describeError = (
  error: Error,
  hide = (text: string) => text,
  depth = MAX_CAUSES,
): object => {
  const { cause, message, stack = '' } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [];
  const describe = (other: unknown) =>
    other instanceof Error ? describeError(other, hide, depth - 1) : hide(String(other));
  return {
    type: error.name,
    message: hide(message),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    // The stack repeats the message before its frames.
    stack: `${error.name}: ${hide(message)}${/(?:\n {4}at .*)+$/.exec(stack)?.[0] ?? ''}`,
    ...(cause !== undefined && depth > 0 && { cause: describe(cause) }),
    ...(errors.length > 0 && depth > 0 && { errors: errors.map(describe) }),
  };
};

/** A moment, so that the first line has a number too. */
const FIRST_AFTER_MS = 100;
const INTERVAL_MS = 10_000;

/**
 * Logs events that are too frequent for a line each: soon after the first one, then every ten seconds with their counts.
 * `event` is from a small set.
 */
export const createCountingLog = (
  write: (counts: Record<string, number>) => void,
): ((event: string) => void) => {
  let counts: Record<string, number> = {};
  let isScheduled = false;
  const flush = () => {
    isScheduled = false;
    if (Object.keys(counts).length === 0) return;
    write(counts);
    counts = {};
    schedule(INTERVAL_MS);
  };
  const schedule = (afterMs: number) => {
    isScheduled = true;
    setTimeout(flush, afterMs).unref();
  };
  return (event) => {
    counts[event] = (counts[event] ?? 0) + 1;
    if (!isScheduled) schedule(FIRST_AFTER_MS);
  };
};
