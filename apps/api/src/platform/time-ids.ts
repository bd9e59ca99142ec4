// Ids that are times: UUIDs of version 7 begin with their millisecond.
import { v7 as uuidv7 } from 'uuid';

/** A lower bound of the ids that are made in this millisecond or later. There are none from before 1970. */
export const lowestIdAt = (at: Date): string =>
  uuidv7({ msecs: Math.max(0, at.getTime()), seq: 0, random: new Uint8Array(16) });

/** When an id of version 7 was made, in milliseconds since 1970 (RFC 9562 section 5.7). */
export const timeOfId = (id: string): number =>
  Number.parseInt(id.replace('-', '').slice(0, 12), 16);
