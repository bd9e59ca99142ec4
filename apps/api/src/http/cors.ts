// Cross-origin resource sharing (the Fetch standard, section 3.2) for builds of a game that run in a browser: the public and
// companion endpoints, for the origins of the setting, without credentials mode, since tokens are in a header and never in a cookie.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { companionContract } from '@muster/contract';
import type { FindRoute } from './public-request.ts';
import { listMethods } from './public-request.ts';
import { hasFaultyHeaders, splitTarget } from './request.ts';

/** True when the request was a preflight and is answered. */
export type ShareAcrossOrigins = (
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
) => boolean;

/** Pages may continue a trace (https://www.w3.org/TR/trace-context/) and name their request. */
const REQUEST_HEADERS = 'Authorization, Content-Type, traceparent, tracestate, X-Request-Id';

/** A page may validate a session that it has read. */
const COMPANION_HEADERS = `${REQUEST_HEADERS}, If-None-Match`;

/** Seconds; browsers keep a preflight for two hours at most. */
const PREFLIGHT_LIFE = '7200';

/** Runs before load shedding, so that a page can also read a rejection of an overloaded service. */
export const createCors = (
  origins: readonly string[],
  findRoute: FindRoute,
): ShareAcrossOrigins => {
  const allowed = new Set(origins);
  return (request, response, target) => {
    const match = findRoute(splitTarget(target).path);
    if (!match) return false;
    // Also for other origins: a cache must not give one origin's answer to another.
    response.setHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return false;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', 'ETag, Retry-After, X-Request-Id');
    const asked = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || asked === undefined) return false;
    // Such a request is refused in any case.
    if (hasFaultyHeaders(request)) return false;
    const headers = match.name in companionContract ? COMPANION_HEADERS : REQUEST_HEADERS;
    response.setHeader('Access-Control-Allow-Methods', listMethods(match.route).join(', '));
    response.setHeader('Access-Control-Allow-Headers', headers);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_LIFE);
    response.writeHead(204).end();
    return true;
  };
};
