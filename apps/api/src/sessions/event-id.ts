// Ids of session events.
import { getRandomValues } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const ID_BYTES = 16;
/** Bytes for so many ids are drawn at once: asking the system for them costs several times what the rest of an id does. */
const IDS_AHEAD = 256;

const random = new Uint8Array(IDS_AHEAD * ID_BYTES);
let drawn = random.length;

const drawRandom = (): Uint8Array => {
  if (drawn === random.length) {
    getRandomValues(random);
    drawn = 0;
  }
  drawn += ID_BYTES;
  return random.subarray(drawn - ID_BYTES, drawn);
};

/**
 * A UUID version 7 (RFC 9562 section 5.7) of a moment. Events of one moment sort by `sequence`, an integer from 0, where one
 * is given.
 */
export const newEventId = (at: Date, sequence?: number): string =>
  uuidv7({
    ...{ msecs: at.getTime(), random: drawRandom() },
    ...(sequence !== undefined && { seq: sequence }),
  });

/** The id that every event of this moment or a later one has, or is greater than. */
export const lowestEventId = (at: Date): string =>
  uuidv7({ msecs: at.getTime(), seq: 0, random: new Uint8Array(ID_BYTES) });
