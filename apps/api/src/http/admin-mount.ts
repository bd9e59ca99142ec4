// Serves the admin API under /admin/trpc.
import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import type { Permission } from '@muster/contract';
import { drawRetryAfter, hasRetryAfter, permitsSomewhere } from '@muster/contract';
import type { AnyRouter, TRPCError } from '@trpc/server';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { AdminContext, QueryShares } from '../admin/index.ts';
import { createBatch, describeCallError } from '../admin/index.ts';
import type { AuthenticateAdmin } from '../auth/index.ts';
import type { Logger } from '../platform/index.ts';
import { giveBack, ServiceError } from '../platform/index.ts';
import { createAdminHandler } from './admin-handler.ts';
import type { PaceAnswer } from './answer-pace.ts';
import type { BodyRoom } from './body-memory.ts';
import type { IsOutage } from './error-answers.ts';
import { toInputError, toServiceError } from './error-answers.ts';
import { logFailure } from './failure-log.ts';
import type { BodyLimit } from './json-cost.ts';
import { refuseCostlyJsonPaced } from './json-cost.ts';
import type { Refusal, RequestLocals } from './request.ts';
import {
  allowMethods,
  decodePercent,
  findBadQueryEscapes,
  localsOf,
  RequestAbortedError,
  splitTarget,
} from './request.ts';
import { MAX_BODY, readBody, readJsonText, SLOW_BODY_MS } from './request-body.ts';
import { describeCode, nameFields, noteRefusal } from './request-log.ts';

const ADMIN_PATH = '/admin/trpc';

/**
 * A bulk edit of a thousand records is larger than the body of any public route: with 64 members of custom data each, they have 64,000 names.
 * A thousand Xp tables of 150 levels have about as many marks, or 150 of a thousand levels; what is longer comes in several edits or as a file.
 * As values, so many marks take up to 25 MB of memory.
 */
const MAX_ADMIN_BODY: BodyLimit = { bytes: 8 * 1_048_576, marks: 524_288, names: 65_536 };

/** Whoever may change nothing needs a token and a password at most, or a name: players, and those who have no credential. */
const MAX_SMALL_BODY: BodyLimit = { ...MAX_BODY, bytes: 8_192 };

/**
 * A join that is tried out, with its place: a little more than a join may have, so that its refusal can be seen. It is read twice and
 * told once more. A batch with such a join holds no more.
 */
const MAX_TRIED_BODY: BodyLimit = {
  bytes: 1.25 * MAX_BODY.bytes,
  marks: MAX_BODY.marks + 1_024,
  names: MAX_BODY.names + 1_024,
};
const TRIES_JOINS = /(?:^|,)sessions\.tryJoin(?:,|$)/;

/** What those may do who send more than others. Reading 8 MiB of JSON takes up to half a second of the process, in many turns. */
const SENDS_LARGE_BODIES = [
  ...['sandbox:config:edit', 'session:*', 'session:update-player:any'],
] as const satisfies readonly Permission[];
const CHANGES_OTHERS = [
  ...['player:*', 'sandbox:*', 'key:manage', 'people:manage'],
] as const satisfies readonly Permission[];

/** Far more than a page of the web app asks for at once. */
const MAX_BATCH_CALLS = 50;

/** The adapter names no type for what it refuses before it knows the procedure. */
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** Called for each query that is beyond the share of its caller, at once or after a wait. */
export type OnQueryRefused = (response: Response, hasWaited: boolean) => Promise<void> | void;

type AdminMount = {
  router: AnyRouter;
  shares?: QueryShares | undefined;
  onQueryRefused?: OnQueryRefused | undefined;
  identifyAdmin: AuthenticateAdmin;
  publicUrl?: URL;
  logger: Logger;
  isOutage: IsOutage;
  paceAnswer?: PaceAnswer;
  bodyRoom?: BodyRoom;
};

export const mountAdmin = (app: Express, mount: AdminMount): void => {
  const { router, logger } = mount;
  const handle = createAdminHandler({
    router,
    maxBatchSize: MAX_BATCH_CALLS,
    createContext: (request, response, info) => ({
      ...createContext(mount, request, response),
      ...(info.calls.length > 1 && { batch: createBatch() }),
    }),
    responseMeta: ({ info, errors }) => ({
      headers: new Headers({ ...(!info && JSON_HEADERS), ...retryAfter(errors) }),
    }),
    onError: (failure, response) => {
      const { error, path } = failure;
      if (isLeaving(error)) return;
      noteRefusal(response, error.cause, toCallRefusal(failure, router));
      if (error.code !== 'INTERNAL_SERVER_ERROR') return;
      logFailure(logger, response, 'failed', error.cause ?? error, { procedure: path });
    },
  });
  app.use(
    ADMIN_PATH,
    nameRoute(router),
    allowMethods('GET', 'HEAD', 'POST'),
    refuseOddPaths,
    createReader(mount),
    handle,
  );
};

/** The client has left, and its call was not begun. */
const isLeaving = ({ cause }: TRPCError): boolean => cause?.name === 'AbortError';

type CallFailure = { error: TRPCError; path: string | undefined; input: unknown };

/** The path of a call comes from the client, and is logged only where it names a procedure. */
const toCallRefusal = ({ error, path, input }: CallFailure, router: AnyRouter): Refusal => {
  const { error_code, detail } = describeCallError(error, input);
  return {
    error_code,
    reason: describeCode(error_code),
    fields: detail && nameFields(detail),
    procedure: isProcedure(router, path) ? path : undefined,
  };
};

const isProcedure = (router: AnyRouter, path = ''): boolean =>
  Object.hasOwn(router._def.procedures, path);

/** The first of the refusals that waiting cures. */
const retryAfter = (errors: readonly TRPCError[]): Record<string, string> => {
  const [seconds] = errors.flatMap(({ cause }) => {
    if (!(cause instanceof ServiceError)) return [];
    const { code, evidence } = cause;
    return evidence.retryAfterSeconds ?? (hasRetryAfter(code) ? drawRetryAfter(code) : []);
  });
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
};

/** The procedure is the route, where there is one. */
const nameRoute =
  (router: AnyRouter): RequestHandler =>
  (request, response, next) => {
    const path = request.path.slice(1);
    const isOne = isProcedure(router, path);
    localsOf(response).routePattern = isOne ? `${ADMIN_PATH}/${path}` : ADMIN_PATH;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    next();
  };

/** Procedure names are plain words: an escape that cannot be decoded, or a deeper path, names none. */
const refuseOddPaths: RequestHandler = (request, _response, next) => {
  if (decodePercent(request.path) === null || request.path.indexOf('/', 1) > 0) {
    throw new ServiceError('route_not_found');
  }
  next();
};

type AdminLocals = RequestLocals & { read: Pick<AdminContext, 'caller' | 'inputProblem'> };

/** A refused credential or input is handed on, so that the procedures answer it in the shape of tRPC. */
const createReader =
  ({ identifyAdmin, isOutage, paceAnswer, bodyRoom }: AdminMount): RequestHandler =>
  async (request, response, next) => {
    const locals = response.locals as AdminLocals;
    const identify = (isRepeated: boolean) =>
      identifyAdmin(request, isRepeated).catch((error: unknown) => toServiceError(error, isOutage));
    const caller = await identify(false);
    const isKnown = !(caller instanceof ServiceError);
    if (isKnown) locals.caller = caller;
    const identifiedAt = performance.now();
    const limit = mostOf(request, locals.caller);
    bodyRoom?.bound(response, limit.bytes);
    const inputProblem = await readAdminInput(request, limit, (bytes) => {
      if (bodyRoom?.hold(response, bytes) === false) throw new ServiceError('service_unavailable');
    });
    const wasSlow = performance.now() - identifiedAt > SLOW_BODY_MS;
    if (inputProblem) await paceAnswer?.(isKnown ? inputProblem : caller, response);
    locals.read = { caller: isKnown && wasSlow ? await identify(true) : caller, inputProblem };
    // The signal of its calls begins only now.
    if (response.destroyed) throw new RequestAbortedError();
    next();
  };

const mostOf = ({ path }: Request, caller: RequestLocals['caller']): BodyLimit => {
  if (!caller) return MAX_SMALL_BODY;
  const { permissions } = caller;
  if (!permitsSomewhere(permissions, SENDS_LARGE_BODIES)) {
    return permitsSomewhere(permissions, CHANGES_OTHERS) ? MAX_BODY : MAX_SMALL_BODY;
  }
  // tRPC decodes the path, too.
  return TRIES_JOINS.test(decodePercent(path.slice(1)) ?? '') ? MAX_TRIED_BODY : MAX_ADMIN_BODY;
};

const createContext = (
  { isOutage, publicUrl, shares, onQueryRefused }: AdminMount,
  request: Request,
  response: Response,
): AdminContext => {
  const { read, requestId } = response.locals as AdminLocals;
  const origin = publicUrl?.origin ?? readListeningOrigin(request.socket);
  return {
    ...{ ...read, requestId, address: request.ip, origin, isOutage, shares },
    onQueryRefused: (hasWaited) => onQueryRefused?.(response, hasWaited),
  };
};

/** Where links lead without PUBLIC_URL. The Host header would lead them wherever a client says. */
const readListeningOrigin = ({ localAddress = '', localPort }: Socket): string => {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, '');
  return `http://${isIPv6(address) ? `[${address}]` : address}:${localPort}`;
};

// Reads what a request brings to the admin API. tRPC's own reading puts U+FFFD where bytes are no UTF-8; this one refuses.

/**
 * Leaves the text of the body for tRPC. Answers what is wrong with query or body, for the procedures to tell once they
 * know the caller: input_invalid, body_too_large, body_compressed. Throws RequestAbortedError.
 */
const readAdminInput = async (
  request: Request,
  limit: BodyLimit,
  onGrowth: (bytes: number) => void,
): Promise<ServiceError | undefined> => {
  const queryProblems = findBadQueryEscapes(splitTarget(request.originalUrl).query);
  if (request.method !== 'POST') return toInputError(queryProblems);
  // What is refused must not be read either.
  request.body = '';
  try {
    const bytes = await readBody(request, { maxBytes: limit.bytes, onGrowth });
    if (bytes.length === 0) return toInputError(queryProblems);
    await refuseCostlyJsonPaced(bytes, limit);
    const { text, problems } = readJsonText(bytes, request.headers['content-type']);
    giveBack(bytes);
    request.body = text ?? '';
    return toInputError([...queryProblems, ...problems]);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
};
