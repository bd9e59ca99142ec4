// The checks of every public request, in this order: route (404), method (405), credential (403), rate limit (409 or 429), size (413), then
// parameters and body (422, every problem in one response). A join that an admin tries out passes the same checks.
import querystring from 'node:querystring';
import type { ItemHistoryQuery, ProblemSource, ValidationProblem } from '@muster/contract';
import { companionContract, contract, describeIssues } from '@muster/contract';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Authenticate } from '../auth/index.ts';
import { InvalidRequestError, ServiceError } from '../platform/index.ts';
import type { SimulatedResponse, SimulateRequest } from '../sessions/index.ts';
import { leaseUntilClosed } from './caller-limiter.ts';
import type { IsOutage } from './error-answers.ts';
import { toErrorAnswer } from './error-answers.ts';
import { COSTS, LIMITS, QUERY } from './limits.ts';
import type { Protection } from './protection.ts';
import { parseJsonBody, readBody, tooLarge } from './read-body.ts';
import type { RequestInput, RouteName } from './request.ts';
import {
  badEscape,
  decodePercent,
  enterRoute,
  findBadQueryEscapes,
  localsOf,
  READ_METHODS,
  RequestAbortedError,
  STANDARD_HEADERS,
  splitTarget,
} from './request.ts';

type PublicRequestOptions = {
  authenticate: Authenticate;
  historyAccess: 'authenticated' | 'public';
  findRoute: FindRoute;
  protection: Protection;
  /** Called without Express, which would look at all routes on the way to its last handler. */
  onError: ErrorRequestHandler;
};

/** Leaves the caller and the validated input in `res.locals`. Passes requests for other paths on untouched. */
export const createPublicRequestMiddleware = ({
  authenticate,
  historyAccess,
  findRoute,
  protection,
  onError,
}: PublicRequestOptions): RequestHandler => {
  const { limits, callers, budget, overload } = protection;
  const bodyOptions = {
    kind: 'join',
    maxBytes: LIMITS.joinBodyBytes.value,
    budget,
    deadline: {
      timeoutMs: limits.requestTimeoutMs,
      onTimeout: () => overload.noteCut('slow_body'),
    },
  } as const;
  const check = async (match: RouteMatch, query: string, request: Request, response: Response) => {
    const locals = localsOf(response);
    locals.routeName = match.name;
    locals.rawParams = match.rawParams;
    enterRoute(request, response, match.route.path, listMethods(match.route));
    const isHistory = HISTORIES.has(match.name);
    const isOpen = historyAccess === 'public' && isHistory;
    const caller = isOpen ? null : await authenticate(request.headers.authorization);
    locals.caller = caller;
    if (response.destroyed) throw new RequestAbortedError();
    const isByName = isHistory && NAME_FILTER.test(query);
    const cost = isByName ? COSTS.historyByName : (COST_OF[match.name] ?? 1);
    if (caller) locals.lease = leaseUntilClosed(callers.enter(caller, cost), response);
    const { headers } = request;
    if ('body' in match.route) {
      const bytes = await readBody(request, response, bodyOptions);
      locals.lease?.charge(bytes.length / COSTS.bodyBytes);
      const body = parseJsonBody(bytes, headers['content-type']);
      locals.input = validate(match, { query, headers, body });
    } else {
      ignoreBody(request);
      locals.input = validate(match, { query, headers, body: NO_BODY });
      const { name } = locals.input.query as Pick<ItemHistoryQuery, 'name'>;
      // Its key may be percent-encoded.
      if (caller && name && !isByName) callers.charge(caller, COSTS.historyByName);
      if (!budget.hasRoomForResponse()) {
        overload.noteRejected(isHistory ? 'history' : 'companion', 'unread_responses');
        throw new ServiceError('service_unavailable');
      }
      response.once('prefinish', () => budget.addResponse(response.socket?.writableLength ?? 0));
    }
  };
  return async (request, response, next) => {
    const { path, query } = splitTarget(request.url);
    const match = findRoute(path);
    if (match) {
      try {
        await check(match, query, request, response);
      } catch (error) {
        onError(error, request, response, next);
        return;
      }
    }
    next();
  };
};

const HISTORIES: ReadonlySet<RouteName> = new Set(['listItemHistory', 'listXpHistory']);

const COST_OF: Partial<Record<RouteName, number>> = { listPlayerSessions: COSTS.sessionList };

/** The methods that a route answers. */
export const listMethods = ({ method }: Pick<PublicRoute, 'method'>): readonly string[] =>
  method === 'GET' ? READ_METHODS : [method];

const NAME_FILTER = /(?:^|&)name=[^&]/;

const NO_BODY: ReturnType<typeof parseJsonBody> = { value: undefined, problems: [] };

/** Content of a GET or DELETE has no defined semantics (RFC 9110 section 9.3). It has the limit of every body, and is not looked at. */
const ignoreBody = ({ headers }: Request): void => {
  const { value } = LIMITS.bodyBytes;
  if (Number(headers['content-length'] ?? 0) > value) throw tooLarge(value);
};

const ROUTES = { ...contract, ...companionContract };

type PublicRoute = (typeof ROUTES)[RouteName];

type RouteMatch = {
  name: RouteName;
  route: PublicRoute;
  /** Path parameters, still percent-encoded. */
  rawParams: Record<string, string>;
};

/** A trailing slash is no segment: every route answers with and without it. */
const toSegments = (path: string): string[] => path.replace(/\/$/, '').split('/');

const toPatterns = (routes: typeof contract | typeof companionContract) =>
  (Object.keys(routes) as RouteName[]).map((name) => ({
    name,
    route: ROUTES[name],
    segments: toSegments(ROUTES[name].path),
  }));

/** The route whose literal segments equal those of the path and whose parameters are not empty, or null. */
export type FindRoute = (path: string) => RouteMatch | null;

const createFind =
  (patterns: ReturnType<typeof toPatterns>): FindRoute =>
  (path) => {
    const segments = toSegments(path);
    for (const { name, route, segments: pattern } of patterns) {
      const rawParams = matchSegments(pattern, segments);
      if (rawParams) return { name, route, rawParams };
    }
    return null;
  };

/** A route of the public contract. */
export const findPublicRoute = createFind(toPatterns(contract));

/** Also a route of the companion contract, unless it is off. */
export const createFindRoute = (hasCompanion: boolean): FindRoute =>
  hasCompanion
    ? createFind([...toPatterns(contract), ...toPatterns(companionContract)])
    : findPublicRoute;

const matchSegments = (pattern: string[], segments: string[]): Record<string, string> | null => {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? '';
    if (expected.startsWith(':') && actual !== '') params[expected.slice(1)] = actual;
    else if (expected !== actual) return null;
  }
  return params;
};

type RequestParts = {
  query: string;
  headers: unknown;
  body: ReturnType<typeof parseJsonBody>;
};

/** The one validation of a public request. Throws InvalidRequestError with the problems of all its parts. */
const validate = (
  { route, rawParams }: RouteMatch,
  { query, headers, body }: RequestParts,
): RequestInput => {
  refuseCostlyQuery(query);
  const unreadable = findBadQueryEscapes(query);
  const params: Record<string, string | null> = {};
  for (const [name, raw] of Object.entries(rawParams)) {
    params[name] = decodePercent(raw);
    if (params[name] === null) unreadable.push(badEscape('path', name));
  }
  unreadable.push(...body.problems);
  const problems: ValidationProblem[] = [];
  const read = (source: ProblemSource, schema: z.ZodType, value: unknown): unknown => {
    const result = schema.safeParse(value);
    if (!result.success) problems.push(...describeIssues(source, result.error.issues, value));
    return result.data;
  };
  const input = {
    params: read('path', route.pathParams, params),
    query: read('query', route.query, parseQuery(query)),
    headers: read('header', route.headers, headers),
    // A body that could not be read has its problem already.
    body:
      'body' in route && body.value !== undefined
        ? read('body', route.body, body.value)
        : undefined,
  };
  if (unreadable.length + problems.length === 0) return input;
  throw new InvalidRequestError(mergeProblems(unreadable, problems));
};

/**
 * A query has room for thousands of parameters, or a list of tens of thousands. Decoding and validating these takes milliseconds, so that
 * a few players could delay all requests. Throws InvalidRequestError with this problem alone.
 */
const refuseCostlyQuery = (query: string): void => {
  const pairs = query.split('&', QUERY.parameters + 1);
  const allowed = pairs.slice(0, QUERY.parameters);
  const long = allowed.find(({ length }) => length > QUERY.parameterLength);
  if (long !== undefined) {
    const [raw = ''] = long.split('=', 1);
    const loc = ['query', decodePercent(raw.slice(0, MAX_NAME_LENGTH)) ?? ''];
    const msg = `Must have at most ${QUERY.parameterLength} characters in the query`;
    throw new InvalidRequestError([{ loc, msg, type: 'value_error.any_str.max_length' }]);
  }
  if (pairs.length > allowed.length) {
    const msg = `Must have at most ${QUERY.parameters} parameters`;
    throw new InvalidRequestError([{ loc: ['query'], msg, type: 'value_error.query.max_items' }]);
  }
};

/** Longer than that of any parameter. */
const MAX_NAME_LENGTH = 64;

/** Reads every pair: the usual limit of a thousand would silently drop filters. Leaves bad escapes unchanged. */
export const parseQuery = (query: string): querystring.ParsedUrlQuery =>
  querystring.parse(query, '&', '=', {
    maxKeys: 0,
    decodeURIComponent: (text) => decodePercent(text) ?? text,
  });

const ORDER: ProblemSource[] = ['path', 'query', 'header', 'body'];

/**
 * Problems in the order path, query, header, body, each place once. An unreadable parameter or part hides what validation
 * says about it.
 */
export const mergeProblems = (
  unreadable: ValidationProblem[],
  invalid: ValidationProblem[],
): ValidationProblem[] => {
  const hidden = new Set(unreadable.map(({ loc }) => placeOf(loc)));
  const visible = invalid.filter(({ loc }) => !hidden.has(placeOf(loc)));
  const unique = new Map(
    [...unreadable, ...visible].map((problem) => [
      JSON.stringify([problem.loc, problem.type]),
      problem,
    ]),
  );
  return [...unique.values()].sort((a, b) => rank(a) - rank(b));
};

/** The part and the parameter: an index below it is the same parameter. */
const placeOf = (loc: ValidationProblem['loc']): string => JSON.stringify(loc.slice(0, 2));

const rank = ({ loc }: ValidationProblem): number => ORDER.indexOf(loc[0] as ProblemSource);

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers a join without a connection, with the response of the public endpoint. */
export const createSimulateRequest =
  (isOutage: IsOutage): SimulateRequest =>
  async ({ target, body, requestId }, handle) => {
    const headers = { 'content-type': JSON_TYPE, 'x-request-id': requestId, ...STANDARD_HEADERS };
    try {
      const answer = await handle(readJoin(target, Buffer.from(body)));
      return toAnswer(answer.status, { ...headers, etag: answer.etag }, answer.body);
    } catch (error) {
      const answer = toErrorAnswer(error, isOutage, 'joinByPlatformSession');
      // An unforeseen error is logged like that of any admin call, and not returned as a response.
      if (answer.status === 500) throw error;
      const { status, retryAfterSeconds } = answer;
      const retry = retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {};
      return toAnswer(status, { ...headers, ...retry }, answer.body);
    }
  };

type JoinParts = Parameters<Parameters<SimulateRequest>[1]>[0];

const readJoin = (target: string, bytes: Buffer): JoinParts => {
  const { path, query } = splitTarget(target);
  const match = findPublicRoute(path);
  if (match?.name !== 'joinByPlatformSession') throw new ServiceError('route_not_found');
  const { value: maxBytes } = LIMITS.joinBodyBytes;
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  const body = parseJsonBody(bytes, bytes.length === 0 ? undefined : JSON_TYPE);
  return validate(match, { query, headers: {}, body }) as JoinParts;
};

/** The body as a client parses it: without undefined members. */
const toAnswer = (
  status: number,
  headers: Record<string, string>,
  body: unknown,
): SimulatedResponse => ({ status, headers, body: JSON.parse(JSON.stringify(body)) });
