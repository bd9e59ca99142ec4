import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A request may be answered before its body is read: no such route, no credential, too large. What still comes of it is then read
 * and thrown away, since the next request stands behind it on the same connection. Node.js and Bun do so by themselves;
 * under Deno that next request would wait for ever.
 */
export const discardUnreadBody = (request: IncomingMessage, response: ServerResponse): void => {
  if (!mayHaveBody(request)) return;
  response.once('finish', () => {
    if (!request.readableEnded) request.resume();
  });
};

/** RFC 9112 section 6.3: without either header a request has no body. */
const mayHaveBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
