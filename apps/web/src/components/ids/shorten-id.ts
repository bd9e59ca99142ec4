const SHORT_LENGTH = 8;

/**
 * "…5f2a9c1e": the end of an id. Our ids begin with the time they were made at (UUIDv7, RFC 9562), so that those of one
 * day look alike in front. An id that is not longer is answered whole.
 */
export const shortenId = (id: string): string =>
  id.length > SHORT_LENGTH + 1 ? `…${id.slice(-SHORT_LENGTH)}` : id;
