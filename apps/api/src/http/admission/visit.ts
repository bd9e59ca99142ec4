import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Place } from '../../passing/index.ts';
import type { RequestKind } from './request-kind.ts';

/** A request on its way through the service. */
export type Visit = {
  kind: RequestKind;
  request: IncomingMessage;
  response: ServerResponse;
  target: string;
  /** By performance.now(), as all times. */
  arrivedAt: number;
  /** When work on it began; 0 while it waits. */
  startedAt: number;
  /** What its body may hold of the memory for bodies. */
  bodyBytes: number;
  /** How much of a streamed answer had been taken, and when that was last more than before. */
  taken: number;
  takenAt: number;
  /** Among those that are worked on. */
  started?: Place<Visit>;
  /** Among those whose bodies are late. */
  aside?: Place<Visit>;
};

const VISIT = Symbol('visit');
type Visited = ServerResponse & { [VISIT]?: Visit | undefined };

/** Kept at the response, so that one listener serves all requests. */
export const rememberVisit = (visit: Visit): void => {
  (visit.response as Visited)[VISIT] = visit;
};

/** Undefined once it has been forgotten: a visit ends once. */
export const takeVisit = (response: ServerResponse): Visit | undefined => {
  const visit = (response as Visited)[VISIT];
  if (visit) (response as Visited)[VISIT] = undefined;
  return visit;
};
