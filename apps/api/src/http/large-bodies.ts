// Reading a megabyte of JSON that says nothing takes some ten milliseconds, and a few players can send one after the other: so large bodies
// take turns, are read in pieces, and leave most of the time to everybody else. Those of one player rest in between, unread: what is not
// read costs nothing, and its sender has to stop.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../auth/index.ts';
import { isIndividual } from '../auth/index.ts';
import { createRounds, createShares, createTurns, ServiceError } from '../platform/index.ts';
import type { BodyRoom } from './body-memory.ts';
import { RequestAbortedError, signalLeaving } from './request.ts';
import { readBody } from './request-body.ts';

/** The largest join that means something: 20 KiB of custom data, each letter of which may be an escape of three times its bytes. */
export const LARGE_BODY_BYTES = 65_536;
/** Most joins are smaller. Of those between the two sizes, a player who sends many rests as after a large one. */
export const USUAL_BODY_BYTES = 8_192;
/** Of large ones, beside the one that is being read. They hold places of joins while they wait. */
const MOST_WAITING = 4;
/** As long as one took, pauses between its pieces included, no other one is read. */
const REST = 1;
/** Of one player, who has no use for any. Those that wait hold places of joins, and not for as long as a body may take. */
const SHARE = {
  ...{ atOnce: 1, maxWaiting: 1, maxWaitingInAll: 8, longestWaitMs: 6_000 },
  ...{ rest: 50, freeMs: 0, longestMs: 5_000 },
};
/** In which a pause of the process is no reason to keep a player waiting for long. */
const LESSER_SHARE = { ...SHARE, freeMs: 500, longestMs: 1_000 };

/** Their pauses end together, and one of them takes some milliseconds at most. */
const LESSER_ROUND_MS = 1;

type Body = { request: IncomingMessage; response: ServerResponse; caller: Caller | null };
type Read<Result> = (bytes: Buffer) => Result | Promise<Result>;

/** Reads a usual body at once, and a larger one when its turn comes. Errors: service_overloaded and service_unavailable (too many wait). */
export const createReadInTurn = (bodyRoom?: BodyRoom) => {
  const inTurn = createTurns(REST);
  const inShare = createShares(SHARE);
  const inLesserShare = createShares(LESSER_SHARE);
  const inRounds = createRounds(LESSER_ROUND_MS);
  let inLine = 0;
  const readLarge = async <Result>(
    bytes: Buffer,
    read: Read<Result>,
    response: ServerResponse,
  ): Promise<Result> => {
    if (inLine > MOST_WAITING) throw new ServiceError('service_overloaded');
    inLine += 1;
    const readUnlessLeft = () => {
      if (response.destroyed) throw new RequestAbortedError();
      return read(bytes);
    };
    return inTurn(readUnlessLeft).finally(() => {
      inLine -= 1;
    });
  };
  const readInRound = <Result>(
    bytes: Buffer,
    read: Read<Result>,
    begin: () => void,
  ): Promise<Result> =>
    new Promise((resolve) => {
      inRounds(() => {
        begin();
        resolve((async () => read(bytes))());
      });
    });
  return async <Result>(
    { request, response, caller }: Body,
    read: Read<Result>,
  ): Promise<Result> => {
    const waitForShare = (
      work: (begin: () => void) => Promise<Result>,
      share = inShare,
    ): Promise<Result> =>
      caller && isIndividual(caller)
        ? share(caller.accountId, work, { signal: signalLeaving(response) })
        : work(() => {});
    if (Number(request.headers['content-length'] ?? 0) > LARGE_BODY_BYTES) {
      return waitForShare(async () => readLarge(await readBody(request), read, response));
    }
    // Without a length it may be large all the same, which shows on the way.
    let large: Promise<Result> | undefined;
    const wait = (): Promise<void> =>
      new Promise((begin, refuse) => {
        large = waitForShare(async () => {
          begin();
          return readLarge(await whole, read, response);
        });
        large.catch(refuse);
      });
    const onGrowth = (size: number) => {
      if (bodyRoom?.hold(response, size) === false) throw new ServiceError('service_overloaded');
    };
    const whole = readBody(request, { onGrowth, pause: { beyond: LARGE_BODY_BYTES, wait } });
    const bytes = await whole;
    if (large) return large;
    if (bytes.length <= USUAL_BODY_BYTES) return read(bytes);
    return waitForShare((begin) => readInRound(bytes, read, begin), inLesserShare);
  };
};
