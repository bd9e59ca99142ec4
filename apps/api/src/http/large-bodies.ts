// Reading JSON is one step, for which everybody waits. A body of a megabyte that says nothing is refused after some ten milliseconds of
// it, and a few players can send one after the other: so large bodies take turns, and leave most of the time to everybody else. Those of
// one player rest in between, unread: what is not read costs nothing, and its sender has to stop.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../auth/index.ts';
import { isIndividual } from '../auth/index.ts';
import { createShares, createTurns, ServiceError } from '../platform/index.ts';
import { readBody, signalLeaving } from './request.ts';

/** Three times the largest join that means something: 20 KiB of custom data and its headers. */
export const LARGE_BODY_BYTES = 65_536;
/** They hold places of joins while they wait. */
const MOST_WAITING = 4;
/** What is left to others, for each moment that is taken from them. */
const REST = 3;
/** Of one player, who has no use for any. Those that wait hold places of joins, and not for as long as a body may take. */
const SHARE = {
  ...{ atOnce: 1, maxWaiting: 1, maxWaitingInAll: 8, longestWaitMs: 6_000 },
  ...{ rest: 50, freeMs: 0, longestMs: 5_000 },
};

type Body = { request: IncomingMessage; response: ServerResponse; caller: Caller | null };

export type ReadInTurn = <Result>(body: Body, read: (bytes: Buffer) => Result) => Promise<Result>;

/** Reads a small body at once, and a large one when its turn comes. Errors: service_overloaded and service_unavailable (too many wait). */
export const createReadInTurn = (): ReadInTurn => {
  const inTurn = createTurns(REST);
  const inShare = createShares(SHARE);
  let waiting = 0;
  const readLarge = <Result>(bytes: Buffer, read: (bytes: Buffer) => Result): Promise<Result> => {
    if (waiting > MOST_WAITING) throw new ServiceError('service_overloaded');
    waiting += 1;
    return inTurn(() => {
      waiting -= 1;
      return read(bytes);
    });
  };
  return async ({ request, response, caller }, read) => {
    const waitForShare = <Result>(work: () => Promise<Result>): Promise<Result> =>
      caller && isIndividual(caller)
        ? inShare(caller.accountId, work, { signal: signalLeaving(response) })
        : work();
    if (Number(request.headers['content-length'] ?? 0) > LARGE_BODY_BYTES) {
      return waitForShare(async () => readLarge(await readBody(request), read));
    }
    // Without a length it may be large all the same.
    const bytes = await readBody(request);
    if (bytes.length <= LARGE_BODY_BYTES) return read(bytes);
    return waitForShare(async () => readLarge(bytes, read));
  };
};
