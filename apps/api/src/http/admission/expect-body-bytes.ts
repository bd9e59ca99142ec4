import type { IncomingMessage } from 'node:http';

/** Bodies up to this size are bounded by the number of requests. */
const SMALL_BYTES = 16_384;
/** The largest body that is kept in memory whole. */
const LARGEST_BYTES = 8 * 1_048_576;
/** Without a length, a body may become the largest that players may send. */
const UNKNOWN_BYTES = 1_048_576;

/** How much of the memory for bodies a request may need, by its headers alone. */
export const expectBodyBytes = ({ headers }: IncomingMessage): number => {
  const length = headers['content-length'];
  if (length === undefined) return headers['transfer-encoding'] === undefined ? 0 : UNKNOWN_BYTES;
  const bytes = Number(length);
  return bytes > SMALL_BYTES ? Math.min(bytes, LARGEST_BYTES) : 0;
};
