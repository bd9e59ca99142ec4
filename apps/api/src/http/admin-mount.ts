// Serves the admin API under /admin/trpc.
import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import type { Permission, ValidationProblem } from '@muster/contract';
import { CHANGES_OTHERS, drawRetryAfter, hasRetryAfter, permitsSomewhere } from '@muster/contract';
import type { AnyRouter, TRPCError } from '@trpc/server';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { AdminContext } from '../admin/index.ts';
import { createBatch, describeCallError } from '../admin/index.ts';
import type { AuthenticateAdmin, Caller } from '../auth/index.ts';
import type { Logger } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import { createAdminHandler } from './admin-handler.ts';
import { holdWhile, leaseUntilClosed } from './caller-limiter.ts';
import type { IsOutage } from './error-answers.ts';
import { toInputError, toServiceError } from './error-answers.ts';
import { logFailure } from './failure-log.ts';
import type { BodyLimit } from './json-cost.ts';
import { refuseCostlyJson } from './json-cost.ts';
import { COSTS, LIMITS, TIMES } from './limits.ts';
import type { Protection } from './protection.ts';
import type { BodyLimits } from './read-body.ts';
import { readJsonText, readUncountedBody, requireJsonType } from './read-body.ts';
import type { Refusal, RequestLocals } from './request.ts';
import {
  allowMethods,
  decodePercent,
  findBadQueryEscapes,
  localsOf,
  RequestAbortedError,
  splitTarget,
} from './request.ts';
import { describeCode, nameFields, noteRefusal } from './request-log.ts';

const ADMIN_PATH = '/admin/trpc';

/** 250 times the longest join that makes sense. */
const MAX_BODY: BodyLimit = { bytes: LIMITS.bodyBytes.value, marks: 131_072, names: 32_768 };

/**
 * A bulk edit of a thousand records with 64 members of custom data each has 64,000 names. A thousand Xp tables of 150 levels have about as
 * many marks as this, and take up to 25 MB of memory as values; more needs several edits or a file.
 */
const MAX_BULK_BODY: BodyLimit = {
  bytes: LIMITS.bulkBodyBytes.value,
  marks: 524_288,
  names: 65_536,
};

/** A caller who may change nothing sends a token and a password at most: players, and requests without a credential. */
const MAX_SMALL_BODY: BodyLimit = { ...MAX_BODY, bytes: 8_192 };

/** The permissions that need large bodies. */
const SENDS_LARGE_BODIES = [
  'sandbox:config:edit',
  'session:*',
  'session:update-player:any',
] as const satisfies readonly Permission[];

/** Far more than a page of the web app requests at once. */
const MAX_BATCH_CALLS = 50;

/** The adapter has no type for a refusal before it knows the procedure. */
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

type AdminMount = {
  router: AnyRouter;
  identifyAdmin: AuthenticateAdmin;
  publicUrl?: URL;
  logger: Logger;
  isOutage: IsOutage;
  protection: Pick<Protection, 'callers' | 'slots' | 'shedder' | 'budget'>;
  checkAnswer?: AdminContext['checkAnswer'];
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
    (request, response, next) =>
      mount.protection.slots.admin.run(response, () =>
        holdWhile(localsOf(response).lease, async () => handle(request, response, next)),
      ),
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

/** The first of the refusals that a retry can resolve. */
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

/** The procedures throw a refused credential or input, so that the response has the shape of tRPC. */
const createReader =
  ({ identifyAdmin, isOutage, protection }: AdminMount): RequestHandler =>
  async (request, response, next) => {
    const locals = response.locals as AdminLocals;
    const { callers } = protection;
    const identify = () =>
      identifyAdmin(request).catch((error: unknown) => toServiceError(error, isOutage));
    const enter = (known: Caller): Caller | ServiceError => {
      try {
        const cost = COSTS.adminCall * countCalls(request);
        locals.lease = leaseUntilClosed(callers.enter(known, cost), response);
        return known;
      } catch (error) {
        return toServiceError(error, isOutage);
      }
    };
    const identified = await identify();
    const caller = identified instanceof ServiceError ? identified : enter(identified);
    if (!(identified instanceof ServiceError)) locals.caller = identified;
    const identifiedAt = performance.now();
    const inputProblem = await readAdminInput(request, response, findLimit(caller), protection);
    const wasSlow = performance.now() - identifiedAt > TIMES.slowBody;
    const isRefused = caller instanceof ServiceError;
    locals.read = { caller: wasSlow && !isRefused ? await identify() : caller, inputProblem };
    // The signal of its calls starts only now.
    if (response.destroyed) throw new RequestAbortedError();
    next();
  };

/** A batch names its procedures in the path, separated by commas. */
const countCalls = ({ path }: Request): number => (decodePercent(path) ?? path).split(',').length;

const findLimit = (caller: Caller | ServiceError): BodyLimit => {
  if (caller instanceof ServiceError) return MAX_SMALL_BODY;
  const { permissions } = caller;
  if (permitsSomewhere(permissions, SENDS_LARGE_BODIES)) return MAX_BULK_BODY;
  return permitsSomewhere(permissions, CHANGES_OTHERS) ? MAX_BODY : MAX_SMALL_BODY;
};

const createContext = (
  { isOutage, publicUrl, checkAnswer }: AdminMount,
  request: Request,
  response: Response,
): AdminContext => {
  const { read, requestId } = response.locals as AdminLocals;
  const origin = publicUrl?.origin ?? readListeningOrigin(request.socket);
  return { ...read, requestId, address: request.ip, origin, isOutage, checkAnswer };
};

/** The origin of links without PUBLIC_URL. Clients control the Host header. */
const readListeningOrigin = ({ localAddress = '', localPort }: Socket): string => {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, '');
  return `http://${isIPv6(address) ? `[${address}]` : address}:${localPort}`;
};

// Reads a request to the admin API. tRPC would replace bytes that are not UTF-8 by U+FFFD; this code refuses them.

/**
 * Leaves the text of the body for tRPC. Returns the problem of the query or body, which the procedures throw once they
 * know the caller: input_invalid, body_too_large, body_compressed, unsupported_media_type. Throws RequestAbortedError.
 */
const readAdminInput = async (
  request: Request,
  response: Response,
  limit: BodyLimit,
  limits: BodyLimits,
): Promise<ServiceError | undefined> => {
  const { query } = splitTarget(request.originalUrl);
  const queryProblems = findBadQueryEscapes(query);
  if (request.method !== 'POST') return toInputError(queryProblems);
  if (new URLSearchParams(query).has('input')) queryProblems.push(INPUT_IN_QUERY);
  // A refused body must not be parsed.
  request.body = '';
  try {
    const bytes = await readUncountedBody(request, response, limit.bytes, limits);
    requireJsonType(bytes, request.headers['content-type']);
    if (bytes.length === 0) return toInputError(queryProblems);
    if (bytes.length > LIMITS.joinBodyBytes.value) await refuseCostlyJson(bytes, limit);
    const { text, problems } = readJsonText(bytes, request.headers['content-type']);
    request.body = text ?? '';
    return toInputError([...queryProblems, ...problems]);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
};

/** tRPC reads the query of a GET only. */
const INPUT_IN_QUERY: ValidationProblem = {
  loc: ['query', 'input'],
  msg: 'The input of a POST belongs in its body',
  type: 'value_error.extra',
};
