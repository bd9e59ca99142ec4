// Requests that a client sends behind each other on one connection, without waiting for answers (RFC 9112 section 9.3.2). One packet can hold a
// hundred joins. Each begins when the one before it is answered, as for a client that waits: nobody has more of the service for sending
// ahead, and libraries open another connection instead.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestKind } from './active-requests.ts';
import { kindOfRequest } from './active-requests.ts';
import { rejectRequest } from './reject-request.ts';
import { normalizeTarget } from './request.ts';

/** Of one connection, with the one that has begun. */
const MAX_OPEN = 100;
/** What waits on all connections is in memory until its turn comes, with as much of its body as a stream holds. */
const MAX_WAITING_BYTES = 16 * 1_048_576;
const REQUEST_BYTES = 4_096;
const STREAM_BYTES = 65_536;
/** Behind one that is turned away. Each is in memory until the answers in front of it have been sent. */
const MAX_IGNORED = 100;

/** What has no answer yet, in the order in which it came, and how each begins. The first one has begun. */
type OpenRequests = Map<ServerResponse, { begin: () => void; bytes: number }>;

const OPEN = Symbol('open');
const IGNORED = Symbol('ignored');
type Connection = Socket & { [OPEN]?: OpenRequests; [IGNORED]?: number };

/** Of one server. `onRefused` is called for each connection that ends because too many of its requests wait. */
export const createConnectionTurns = (onRefused?: (kind: RequestKind) => void) => {
  let waitingBytes = 0;

  const openConnection = (connection: Connection): OpenRequests => {
    const open: OpenRequests = new Map();
    connection.once('close', () => {
      for (const { bytes } of open.values()) waitingBytes -= bytes;
      open.clear();
    });
    return open;
  };

  /** One listener for all responses. What is remembered of an idle connection must not be its last request. */
  const endTurn = function (this: ServerResponse): void {
    const connection: Connection = this.req.socket;
    const open = connection[OPEN];
    // Behind an answer that ends the connection nothing may begin (RFC 9112 section 9.6), and nothing would ever end.
    if (!connection.writable || !open?.delete(this)) return;
    const [next] = open.values();
    if (!next) return;
    waitingBytes -= next.bytes;
    next.bytes = 0;
    next.begin();
  };

  return {
    hasRoom: ({ socket }: IncomingMessage): boolean => {
      const { [OPEN]: open, [IGNORED]: ignored }: Connection = socket;
      if (ignored !== undefined) return false;
      return !open?.size || (open.size < MAX_OPEN && waitingBytes < MAX_WAITING_BYTES);
    },

    /** Begins it now, or when what came before it on its connection has been answered. */
    begin: (request: IncomingMessage, response: ServerResponse, begin: () => void): void => {
      const connection: Connection = request.socket;
      connection[OPEN] ??= openConnection(connection);
      const open = connection[OPEN];
      const isNext = open.size === 0;
      const bytes = isNext ? 0 : weigh(request);
      waitingBytes += bytes;
      open.set(response, { begin, bytes });
      response.on('close', endTurn);
      if (isNext) begin();
    },

    /** The first of them is told, behind the answers of those before it; what comes after it is not begun, and ends the connection where it is much. */
    refuse: (request: IncomingMessage, response: ServerResponse): void => {
      const connection: Connection = request.socket;
      const ignored = connection[IGNORED];
      connection[IGNORED] = (ignored ?? 0) + 1;
      const kind = kindOfRequest(normalizeTarget(request.url ?? '/'));
      // What is long about it is of no use any more.
      const headers = { 'x-request-id': request.headers['x-request-id'] };
      Object.assign(request, { url: '', rawHeaders: [], headers }).resume();
      if (ignored === undefined) {
        onRefused?.(kind);
        rejectRequest(kind, request, response, true);
      } else if (ignored >= MAX_IGNORED) connection.destroy();
    },
  };
};

const weigh = ({ url = '', rawHeaders, headers }: IncomingMessage): number => {
  let bytes = REQUEST_BYTES + url.length;
  for (const part of rawHeaders) bytes += part.length;
  const hasUnknownLength = headers['transfer-encoding'] !== undefined;
  return (
    bytes +
    Math.min(STREAM_BYTES, hasUnknownLength ? STREAM_BYTES : Number(headers['content-length'] ?? 0))
  );
};
