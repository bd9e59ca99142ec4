// Ends requests whose client is too slow: with its body, or with reading an answer that is still being written.
import { answerClientError } from '../client-errors.ts';
import type { Visit } from './visit.ts';

export type SlowVisitLimits = { bodyTimeoutMs: number; answerTimeoutMs: number };

export type Slowness = 'slow_body' | 'slow_reader';

const TIMED_OUT = Object.assign(new Error('The body came too slowly.'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
});

/** Says in what way the client was too slow, and has ended its request then. `visit` is older than either limit. */
export const endIfSlow = (visit: Visit, limits: SlowVisitLimits, now: number): Slowness | null => {
  if (hasSlowBody(visit, limits, now)) {
    endSlowBody(visit);
    return 'slow_body';
  }
  if (isReadSlowly(visit, limits, now)) {
    visit.request.socket.destroy();
    return 'slow_reader';
  }
  return null;
};

/** Answers 408, and ends the connection. */
export const endSlowBody = ({ request }: Visit): void => {
  answerClientError(TIMED_OUT, request.socket);
};

/** Uploads of administrators are long, and have the time of a whole request. */
const hasSlowBody = (
  { kind, request, startedAt }: Visit,
  { bodyTimeoutMs }: SlowVisitLimits,
  now: number,
): boolean =>
  (kind === 'join' || kind === 'history') && !request.complete && now - startedAt > bodyTimeoutMs;

/** What is streamed goes on as long as something is taken of it. */
const isReadSlowly = (visit: Visit, { answerTimeoutMs }: SlowVisitLimits, now: number): boolean => {
  const { socket } = visit.response;
  if (!visit.response.headersSent || !socket || socket.writableLength === 0) return false;
  const taken = socket.bytesWritten - socket.writableLength;
  if (taken !== visit.taken) {
    visit.taken = taken;
    visit.takenAt = now;
  }
  return now - visit.takenAt > answerTimeoutMs;
};
