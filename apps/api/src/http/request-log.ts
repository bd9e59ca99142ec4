// One log line and one measurement per request. For a refused request, the line has what was refused, why, for whom, and in which session.
import type { ErrorCode, ServiceErrorBody, ValidationErrorBody } from '@muster/contract';
import { companionContract, ERROR_CATALOGUE, Platform, Uuid } from '@muster/contract';
import type { RequestHandler, Response } from 'express';
import type { KeyUse } from '../auth/index.ts';
import type { Logger } from '../platform/index.ts';
import { InvalidRequestError, ServiceError } from '../platform/index.ts';
import type { Explanation, Metrics } from '../telemetry/index.ts';
import { PROBES } from '../telemetry/index.ts';
import type { Refusal, RequestLocals } from './request.ts';
import { decodePercent, localsOf, readWaitedMs } from './request.ts';

/** Other methods have one label, so that clients cannot create labels. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A successful request that takes this long is always logged. */
const SLOW_MS = 1_000;

/**
 * Neither the path nor the query is logged: they contain ids of players, and a query may contain anything. For the same reason the line
 * of an accepted join or companion request has no account: that of a player is in the path. The line of a refused request has a reason.
 * Of the successful requests, `successSample` is the part that is logged: their lines have it as `sample`, so that counts can be corrected.
 */
export const observeRequests = (
  logger: Logger,
  metrics: Metrics,
  successSample: number,
  recordKeyUse: KeyUse['record'],
): RequestHandler => {
  // Redaction copies each line, which takes longer than writing it. These lines have no member to redact.
  const lines = logger.child({}, { redact: [] });
  return (request, response, next) => {
    const startedAt = performance.now();
    response.on('close', () => {
      const locals = localsOf(response);
      const { routePattern: route, routeName, requestId, traceId, caller, refusal } = locals;
      const now = performance.now();
      const durationMs = now - startedAt;
      const method = METHODS.has(request.method) ? request.method : 'other';
      // As proxies log a client that disconnected before its response was complete.
      const sent = response.writableFinished ? response.statusCode : 499;
      const status = refusal?.status ?? sent;
      metrics.observeRequest({ method, route, status: String(status) }, durationMs / 1000, {
        workedMs: durationMs - readWaitedMs(locals, now),
        isPlanned: refusal?.isPlanned,
      });
      if (caller?.key) recordKeyUse(caller.key.keyId, refusal && toRefusedUse(locals, refusal));
      // The status is 207 when only some calls of a batch are refused.
      if (status >= 400 || refusal) locals.explanation = explain(locals);
      const level = PROBES.has(route) && status < 400 ? 'debug' : 'info';
      if (!lines.isLevelEnabled(level)) return;
      const isSampled = successSample < 1 && status < 400 && !refusal && durationMs < SLOW_MS;
      if (isSampled && Math.random() >= successSample) return;
      const line = {
        method,
        route,
        status,
        duration_ms: Math.round(durationMs * 100) / 100,
        request_id: requestId,
        trace_id: traceId,
        account_id: isOfPlayer(routeName) ? undefined : caller?.accountId,
        sample: isSampled ? successSample : undefined,
        ...locals.explanation,
      };
      lines[level](line, 'request');
    });
    next();
  };
};

/** The line of a request that could not be read. */
export const logUnreadable = (
  logger: Logger,
  requestId: string,
  { status, error_code, reason }: Refusal,
): void => {
  logger.info({ route: 'unmatched', status, request_id: requestId, error_code, reason }, 'request');
};

const toRefusedUse = ({ requestId, routePattern }: RequestLocals, refusal: Refusal) => ({
  error_code: refusal.error_code ?? 'internal_error',
  target: refusal.procedure ?? routePattern,
  request_id: requestId,
});

const JOIN = 'joinByPlatformSession';

/** The path names a player, or the caller is one. */
const isOfPlayer = (routeName: RequestLocals['routeName']): boolean =>
  routeName !== undefined && (routeName === JOIN || routeName in companionContract);

const explain = ({
  refusal,
  caller,
  accountId,
  routeName,
  rawParams = {},
  session,
}: RequestLocals): Explanation => ({
  error_code: refusal?.error_code,
  reason: refusal?.reason,
  fields: refusal?.fields,
  claim: refusal?.claim,
  ...explainMissingClaims(refusal, caller),
  procedure: refusal?.procedure,
  account_id: caller?.accountId ?? accountId,
  ...(isOfPlayer(routeName) && {
    platform: Platform.safeParse(decode(rawParams.platform)).data,
    session_type: session?.type,
    session_id: session?.sessionId,
    player_uuid: Uuid.safeParse(decode(rawParams.player_uuid)).data,
  }),
});

/** A token without permissions is valid, and is refused only by what needs one. */
const explainMissingClaims = (
  refusal: Refusal | undefined,
  caller: RequestLocals['caller'],
): Explanation | undefined => {
  if (refusal?.error_code !== 'insufficient_permissions' || !caller?.missingClaims)
    return undefined;
  const claim = caller.missingClaims.join(', ');
  return { claim, reason: `The token has no permissions, since it has no claim ${claim}.` };
};

/** Any other text may be a value that must not be logged. */
const decode = (raw = ''): string | null => decodePercent(raw);

/** Records why a request is refused. The first error counts: in a batch, that of the first refused call. */
export const noteRefusal = (response: Response, error: unknown, refusal: Refusal): void => {
  const locals = localsOf(response);
  if (locals.refusal) return;
  const evidence = error instanceof ServiceError ? error.evidence : {};
  const { claim, accountId, reason, isPlanned } = evidence;
  locals.refusal = { ...refusal, claim, reason: reason ?? refusal.reason, isPlanned };
  if (accountId !== undefined) locals.accountId = accountId;
};

/**
 * The log entry of an error with this response body. Sentences of public endpoints are fixed, and are logged unchanged. Sentences of the
 * admin API may name records, so its lines have the general sentence of the code.
 */
export const toRefusal = (
  error: unknown,
  body: ServiceErrorBody | ValidationErrorBody,
  isPublic: boolean,
): Refusal => {
  if (error instanceof InvalidRequestError) {
    const listed = error.problems.slice(0, MAX_FIELDS);
    const reasons = new Set(listed.map(({ msg }) => msg));
    return {
      error_code: error.code,
      reason: isPublic ? shorten([...reasons].join('; '), MAX_REASON) : describeCode(error.code),
      fields: nameFields(listed),
    };
  }
  const { error_code, desc } = body as ServiceErrorBody;
  return { error_code, reason: isPublic ? shorten(desc, MAX_REASON) : describeCode(error_code) };
};

/** Undefined for a code that is not ours. */
export const describeCode = (code: string): string | undefined =>
  Object.hasOwn(ERROR_CATALOGUE, code) ? ERROR_CATALOGUE[code as ErrorCode].desc : undefined;

/** Characters of one line: a client chooses the number of problems of its request, and the length of the names in it. */
const MAX_FIELDS = 20;
const MAX_FIELD = 200;
const MAX_REASON = 500;

/** The locations of the first problems, without control and invisible characters. */
export const nameFields = (problems: ValidationErrorBody['detail']): string[] =>
  problems
    .slice(0, MAX_FIELDS)
    .map(({ loc }) => shorten(loc.join('.').replace(/\p{C}/gu, '\u{fffd}'), MAX_FIELD));

const shorten = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text;
