// Requests that a client sends behind each other on one connection, without waiting for answers (RFC 9112 section 9.3.2). One packet can hold a
// hundred joins. Each begins when the one before it is answered, so that a connection gets no more at once than any other: libraries
// open another connection.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestKind } from './active-requests.ts';
import { kindOfRequest } from './active-requests.ts';
import { rejectRequest } from './reject-request.ts';
import { normalizeTarget } from './request.ts';

/** Of one connection, with the one that has begun. */
const MAX_OPEN = 100;
/** Of all connections. Each is in memory until its turn comes. */
const MAX_WAITING = 2_000;
/** Behind one that is turned away. Each is in memory until the answers in front of it have been sent. */
const MAX_IGNORED = 100;

/** What has no answer yet, in the order in which it came, and how each begins. The first one has begun. */
type OpenRequests = Map<ServerResponse, () => void>;

const OPEN = Symbol('open');
const IGNORED = Symbol('ignored');
type Connection = Socket & { [OPEN]?: OpenRequests; [IGNORED]?: number };

/** Of one server. `onRefused` is called for each connection that ends because too many of its requests wait. */
export const createConnectionTurns = (onRefused?: (kind: RequestKind) => void) => {
  let waiting = 0;

  const openConnection = (connection: Connection): OpenRequests => {
    const open: OpenRequests = new Map();
    connection.once('close', () => {
      waiting -= Math.max(0, open.size - 1);
      open.clear();
    });
    return open;
  };

  /** One listener for all responses. What is remembered of an idle connection must not be its last request. */
  const endTurn = function (this: ServerResponse): void {
    const connection: Connection = this.req.socket;
    const open = connection[OPEN];
    if (connection.destroyed || !open?.delete(this)) return;
    const [next] = open.values();
    if (!next) return;
    waiting -= 1;
    next();
  };

  return {
    hasRoom: ({ socket }: IncomingMessage): boolean => {
      const { [OPEN]: open, [IGNORED]: ignored }: Connection = socket;
      if (ignored !== undefined) return false;
      return !open?.size || (open.size < MAX_OPEN && waiting < MAX_WAITING);
    },

    /** Begins it now, or when what came before it on its connection has been answered. */
    begin: ({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void => {
      const connection: Connection = socket;
      connection[OPEN] ??= openConnection(connection);
      const open = connection[OPEN];
      open.set(response, begin);
      response.on('close', endTurn);
      if (open.size === 1) begin();
      else waiting += 1;
    },

    /** The first of them is told, behind the answers of those before it; what comes after it is not begun, and ends the connection where it is much. */
    refuse: (request: IncomingMessage, response: ServerResponse): void => {
      const connection: Connection = request.socket;
      const ignored = connection[IGNORED];
      connection[IGNORED] = (ignored ?? 0) + 1;
      if (ignored !== undefined) {
        if (ignored >= MAX_IGNORED) connection.destroy();
        return;
      }
      const kind = kindOfRequest(normalizeTarget(request.url ?? '/'));
      onRefused?.(kind);
      rejectRequest(kind, request, response, true);
    },
  };
};
