// The front door of the public routes. It enforces the order: route (404), method (405), credential (403),
// size (413), then body and parameters (422, every problem in one answer).
import querystring from 'node:querystring';
import type { Request, RequestHandler, Response } from 'express';
import type { Authenticate } from '../auth/index.ts';
import type { RouteMatch } from './contract-routes.ts';
import { findContractRoute } from './contract-routes.ts';
import { parseJsonBody } from './json-body.ts';
import { refuseMethod } from './method-not-allowed.ts';
import { findBadPathEscapes, findBadQueryEscapes } from './percent-decoding.ts';
import { readBody } from './read-body.ts';
import type { RequestLocals } from './request-context.ts';
import { findContractProblems, InvalidRequestError, mergeProblems } from './request-problems.ts';
import { splitTarget } from './request-target.ts';

export type FrontDoorOptions = {
  authenticate: Authenticate;
  historyAccess: 'authenticated' | 'public';
};

/** Passes requests for other paths on untouched. */
export const createFrontDoor = (options: FrontDoorOptions): RequestHandler => {
  return async (request, response, next) => {
    const { path, query } = splitTarget(request.url);
    const match = findContractRoute(path);
    if (match) await admit(match, query, options, request, response);
    next();
  };
};

const admit = async (
  match: RouteMatch,
  query: string,
  { authenticate, historyAccess }: FrontDoorOptions,
  request: Request,
  response: Response,
): Promise<void> => {
  const locals = response.locals as RequestLocals;
  locals.match = match;
  locals.routePattern = match.route.path;
  refuseMethod(request, response, match.route.method === 'GET' ? ['GET', 'HEAD'] : ['POST']);
  const isOpen = historyAccess === 'public' && match.name !== 'joinByPlatformSession';
  locals.caller = isOpen ? null : await authenticate(request.headers.authorization);
  await readRequest(match, query, request);
};

/** The router validates what is readable; only an unreadable request is validated here, to list all at once. */
const readRequest = async (match: RouteMatch, query: string, request: Request): Promise<void> => {
  const body = 'body' in match.route ? await readJson(request) : { value: undefined, problems: [] };
  const unreadable = [
    ...findBadPathEscapes(match.rawParams),
    ...findBadQueryEscapes(query),
    ...body.problems,
  ];
  request.body = body.value;
  if (unreadable.length > 0) {
    throw new InvalidRequestError(mergeProblems(unreadable, findContractProblems(match, request)));
  }
};

const readJson = async (request: Request) =>
  parseJsonBody(await readBody(request), request.headers['content-type']);

/** Every pair counts: the usual limit of a thousand would drop filters without a word. */
export const parseQuery = (query: string): querystring.ParsedUrlQuery =>
  querystring.parse(query, '&', '=', { maxKeys: 0 });
