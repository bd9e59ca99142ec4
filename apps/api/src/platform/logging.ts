// Structured logs on standard error: standard output belongs to what the program prints for people.
import type { Logger as PinoLogger } from 'pino';
import pino from 'pino';

export type Logger = PinoLogger;

/** No caller should log these. Redaction is the second line of defence. */
const SECRETS = ['authorization', 'cookie', 'password', 'secret', 'token'];
const REDACTED = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
const STANDARD_ERROR = 2;

/** `descriptor` is the open file that the lines go to. */
export const createLogger = (level: string, descriptor = STANDARD_ERROR): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED, censor: '[secret]' },
      serializers: { err: pino.stdSerializers.errWithCause },
    },
    pino.destination({ fd: descriptor, sync: true }),
  );

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
