// Ids that are times: UUIDs of version 7 begin with their millisecond.
import { v7 as uuidv7 } from 'uuid';

/** A lower bound of the ids that are made in this millisecond or later. There are none from before 1970. */
export const lowestIdAt = (at: Date): string =>
  uuidv7({ msecs: Math.max(0, at.getTime()), seq: 0, random: new Uint8Array(16) });
