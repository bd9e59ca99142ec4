// Structured logs on standard error: standard output belongs to what the program prints for people.
import type { Logger as PinoLogger } from 'pino';
import pino from 'pino';

export type Logger = PinoLogger;

/** Nobody should log these; this is the second fence. */
const SECRETS = ['authorization', 'cookie', 'password', 'secret', 'token'];
const REDACTED = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

const STANDARD_ERROR = 2;

/** `descriptor` is that of the open file that the lines go to. */
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
