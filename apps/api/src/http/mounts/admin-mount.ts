// Serves the admin API under /admin/trpc. Reads the request and writes the response itself: tRPC's handler for Express does either in one
// step, and offers streams of batches, which the admin API does not promise.
import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import type { Permission, ValidationProblem } from '@muster/contract';
import { CHANGES_OTHERS, drawRetryAfter, hasRetryAfter, permitsSomewhere } from '@muster/contract';
import type { AnyRouter, TRPCError } from '@trpc/server';
import { resolveResponse } from '@trpc/server/http';
import type { Express, Request as HttpRequest, Response as HttpResponse } from 'express';
import type { AdminContext } from '../../admin/index.ts';
import {
  createAnswerTexts,
  createBatch,
  describeCallError,
  hasProcedure,
} from '../../admin/index.ts';
import type { AuthenticateAdmin, Caller } from '../../auth/index.ts';
import { encodePaced, parsePaced } from '../../flow/index.ts';
import type { Logger } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import { holdWhile, leaseUntilClosed } from '../caller-limiter.ts';
import type { IsOutage } from '../error-answers.ts';
import { toInputError, toServiceError } from '../error-answers.ts';
import { logFailure } from '../failure-log.ts';
import { COSTS, LIMITS, TIMES } from '../limits.ts';
import type { Protection } from '../protection.ts';
import type { BodyLimits } from '../read-body.ts';
import { readJsonText, readUncountedBody, requireJsonType } from '../read-body.ts';
import type { Refusal } from '../request.ts';
import {
  decodePercent,
  enterRoute,
  findBadQueryEscapes,
  localsOf,
  READ_METHODS,
  RequestAbortedError,
  splitTarget,
} from '../request.ts';
import { describeCode, nameFields, noteRefusal } from '../request-log.ts';
import type { BodyLimit } from './json-cost.ts';
import { refuseCostlyJson } from './json-cost.ts';

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
  publicUrl: URL | undefined;
  logger: Logger;
  isOutage: IsOutage;
  /** Throws during maintenance. */
  refuseChanges: () => void;
  protection: Pick<Protection, 'callers' | 'slots' | 'shedder' | 'budget' | 'longPolls'>;
  checkAnswer?: AdminContext['checkAnswer'];
};

export const mountAdmin = (app: Express, mount: AdminMount): void => {
  const { router, protection } = mount;
  app.use(ADMIN_PATH, async (request, response) => {
    const locals = localsOf(response);
    const path = request.path.slice(1);
    const pattern = hasProcedure(router, path) ? `${ADMIN_PATH}/${path}` : ADMIN_PATH;
    enterRoute(request, response, pattern, [...READ_METHODS, 'POST']);
    // Procedure names are plain words: an escape that cannot be decoded, or a deeper path, names none.
    if (decodePercent(path) === null || path.includes('/')) {
      throw new ServiceError('route_not_found');
    }
    const read = await readCall(mount, request, response);
    // The signal of its calls starts only now.
    if (response.destroyed) throw new RequestAbortedError();
    const work = () => callProcedures(mount, request, response, read);
    await protection.slots.admin.run(response, () => holdWhile(locals.lease, work));
  });
};

/** `request.body` is the text of the body. */
const callProcedures = async (
  mount: AdminMount,
  request: HttpRequest,
  response: HttpResponse,
  read: ReadCall,
): Promise<void> => {
  const { router, logger } = mount;
  const answers = createAnswerTexts();
  const answer = await resolveResponse({
    router,
    maxBatchSize: MAX_BATCH_CALLS,
    // Generated clients cannot send the percent-encoded JSON of a GET.
    allowMethodOverride: true,
    path: request.path.slice(1),
    error: null,
    req: toFetchRequest(request, response),
    createContext: async ({ info }) => ({
      ...createContext(mount, request, response, read),
      ...(info.calls.length > 1 && { batch: createBatch() }),
      answers,
    }),
    responseMeta: ({ info, errors }) => ({
      headers: new Headers({ ...(!info && JSON_HEADERS), ...retryAfter(errors) }),
    }),
    onError: (failure) => {
      const { error, path } = failure;
      if (isLeaving(error)) return;
      noteRefusal(response, error.cause, toCallRefusal(failure, router));
      if (error.code !== 'INTERNAL_SERVER_ERROR') return;
      logFailure(logger, response, 'failed', error.cause ?? error, { procedure: path });
    },
  });
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.end(await encodePaced(answers.fill(await answer.text())));
};

/** Other types have been refused, and the caller of a procedure without an input may have sent none. */
const JSON_TYPE = new Headers({ 'content-type': 'application/json' });

/** The members of a request that tRPC reads. A whole `Request` would follow the signal with a second one. */
const toFetchRequest = (request: HttpRequest, response: HttpResponse): Request => {
  const leaving = new AbortController();
  response.on('close', () => {
    if (!response.writableEnded) leaving.abort();
  });
  const json = async () => {
    const text = request.body;
    // tRPC reads it once. Frees megabytes before the response.
    request.body = '';
    return text === '' ? undefined : parsePaced(text);
  };
  const read = {
    // As a text: resolved against an origin, a path that begins with two slashes would name another host.
    url: `http://localhost${request.url}`,
    method: request.method,
    headers: JSON_TYPE,
    signal: leaving.signal,
    json,
  } satisfies Partial<Request>;
  return read as Partial<Request> as Request;
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
    procedure: hasProcedure(router, path ?? '') ? path : undefined,
  };
};

/** The first of the refusals that a retry can resolve. */
const retryAfter = (errors: readonly TRPCError[]): Record<string, string> => {
  const [seconds] = errors.flatMap(({ cause }) => {
    if (!(cause instanceof ServiceError)) return [];
    const { code, evidence } = cause;
    return evidence.retryAfterSeconds ?? (hasRetryAfter(code) ? drawRetryAfter(code) : []);
  });
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
};

/** A refused credential or input, which the procedures throw, so that the response has the shape of tRPC. */
type ReadCall = Pick<AdminContext, 'caller' | 'inputProblem'>;

const readCall = async (
  { identifyAdmin, isOutage, protection }: AdminMount,
  request: HttpRequest,
  response: HttpResponse,
): Promise<ReadCall> => {
  const locals = localsOf(response);
  const identify = () =>
    identifyAdmin(request).catch((error: unknown) => toServiceError(error, isOutage));
  const enter = (known: Caller): Caller | ServiceError => {
    try {
      const cost = COSTS.adminCall * countCalls(request);
      locals.lease = leaseUntilClosed(protection.callers.enter(known, cost), response);
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
  return { caller: wasSlow && !isRefused ? await identify() : caller, inputProblem };
};

/** A batch names its procedures in the path, separated by commas. */
const countCalls = ({ path }: HttpRequest): number =>
  (decodePercent(path) ?? path).split(',').length;

const findLimit = (caller: Caller | ServiceError): BodyLimit => {
  if (caller instanceof ServiceError) return MAX_SMALL_BODY;
  const { permissions } = caller;
  if (permitsSomewhere(permissions, SENDS_LARGE_BODIES)) return MAX_BULK_BODY;
  return permitsSomewhere(permissions, CHANGES_OTHERS) ? MAX_BODY : MAX_SMALL_BODY;
};

const createContext = (
  { identifyAdmin, isOutage, refuseChanges, protection, publicUrl, checkAnswer }: AdminMount,
  request: HttpRequest,
  response: HttpResponse,
  read: ReadCall,
): AdminContext => {
  const { requestId, lease } = localsOf(response);
  const origin = publicUrl?.origin ?? readListeningOrigin(request.socket);
  const holding = { kind: 'other', slots: protection.slots.admin, lease } as const;
  const longPoll: AdminContext['longPoll'] = async (wait, check) => {
    const isCut = await protection.longPolls.run(response, holding, wait);
    if (!isCut) check(await identifyAdmin(request));
    return { isCut };
  };
  const address = request.ip;
  return { ...read, requestId, address, origin, isOutage, refuseChanges, longPoll, checkAnswer };
};

/** The origin of links without PUBLIC_URL. Clients control the Host header. */
const readListeningOrigin = ({ localAddress = '', localPort }: Socket): string => {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, '');
  return `http://${isIPv6(address) ? `[${address}]` : address}:${localPort}`;
};

/**
 * Leaves the text of the body for tRPC, which would replace bytes that are not UTF-8. Returns the problem of the query or body:
 * input_invalid, body_too_large, body_compressed, unsupported_media_type. Throws RequestAbortedError.
 */
const readAdminInput = async (
  request: HttpRequest,
  response: HttpResponse,
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
