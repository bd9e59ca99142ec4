// Reading JSON is one step, for which everybody waits. A body of a megabyte that says nothing is refused after some ten milliseconds of
// it, and a few players can send one after the other: so large bodies take turns, and leave most of the time to everybody else.
import { createTurns, ServiceError } from '../platform/index.ts';

/** Three times the largest join that means something: 20 KiB of custom data and its headers. */
export const LARGE_BODY_BYTES = 65_536;
/** They hold places of joins while they wait. */
const MOST_WAITING = 4;
/** What is left to others, for each moment that is taken from them. */
const REST = 3;

export type ReadInTurn = <Result>(
  bytes: Buffer,
  read: (bytes: Buffer) => Result,
) => Promise<Result>;

/** Reads a small body at once, and a large one when its turn comes. Throws `service_overloaded` where too many wait. */
export const createReadInTurn = (): ReadInTurn => {
  const inTurn = createTurns(REST);
  let waiting = 0;
  return async (bytes, read) => {
    if (bytes.length <= LARGE_BODY_BYTES) return read(bytes);
    if (waiting > MOST_WAITING) throw new ServiceError('service_overloaded');
    waiting += 1;
    return inTurn(() => {
      waiting -= 1;
      return read(bytes);
    });
  };
};
