// What the parts of the edge tell each other about one request.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../auth/index.ts';
import type { RouteMatch } from './contract-routes.ts';

/** The `res.locals` of every request. */
export type RequestLocals = {
  requestId: string;
  /** Null where a route is open to everyone. Absent until the credential is checked. */
  caller?: Caller | null;
  /** The route of the contract, once it is found. */
  match?: RouteMatch;
  /** Pattern for logs and metrics: from a bounded set, never the raw path. */
  routePattern: string;
};

const ACCEPTED_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's own id where it is harmless, otherwise a new one. */
export const chooseRequestId = (request: IncomingMessage): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED_REQUEST_ID.test(given) ? given : randomUUID();
};

/** Of every answer, besides its request id. */
export const STANDARD_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

export const setStandardHeaders = (response: ServerResponse, requestId: string): void => {
  response.setHeader('X-Request-Id', requestId);
  for (const [name, value] of Object.entries(STANDARD_HEADERS)) response.setHeader(name, value);
};
