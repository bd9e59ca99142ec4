// Answers a join without a connection, as the edge answers one with a connection: the same route table, the same
// validation, the same answers to errors.
import { contract } from '@muster/contract';
import { ServiceError } from '../errors/service-error.ts';
import type { AnswerPublicly, PublicAnswer } from '../join/index.ts';
import { findContractRoute } from './contract-routes.ts';
import type { IsOutage } from './error-answer.ts';
import { toErrorAnswer } from './error-answer.ts';
import { parseQuery } from './front-door.ts';
import { parseJsonBody } from './json-body.ts';
import { decodePercent } from './percent-decoding.ts';
import { MAX_BODY_BYTES } from './read-body.ts';
import { STANDARD_HEADERS } from './request-context.ts';
import { findContractProblems, InvalidRequestError, mergeProblems } from './request-problems.ts';
import { splitTarget } from './request-target.ts';

const ROUTE = contract.joinByPlatformSession;
const JSON_TYPE = 'application/json; charset=utf-8';

export const createAnswerPublicly =
  (isOutage: IsOutage): AnswerPublicly =>
  async ({ target, body, requestId }, handle) => {
    const headers = toHeaders(requestId);
    try {
      const answer = await handle(readParts(target, Buffer.from(body)));
      const etag = answer.etag === undefined ? {} : { etag: answer.etag };
      return toAnswer(answer.status, { ...headers, ...etag }, answer.body);
    } catch (error) {
      const { status, body: refusal, retryAfterSeconds } = explain(error, isOutage);
      const retry = retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {};
      return toAnswer(status, { ...headers, ...retry }, refusal);
    }
  };

const readParts = (target: string, bytes: Buffer) => {
  const { path, query } = splitTarget(target);
  const match = findContractRoute(path);
  if (match?.name !== 'joinByPlatformSession') throw new ServiceError('route_not_found');
  if (bytes.length > MAX_BODY_BYTES) throw new ServiceError('body_too_large');
  const body = parseJsonBody(bytes, bytes.length === 0 ? undefined : JSON_TYPE);
  const parts = { query: parseQuery(query), headers: {}, body: body.value };
  const problems = mergeProblems(body.problems, findContractProblems(match, parts));
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const rawParams = Object.entries(match.rawParams);
  return {
    params: ROUTE.pathParams.parse(
      Object.fromEntries(rawParams.map(([name, raw]) => [name, decodePercent(raw)])),
    ),
    query: ROUTE.query.parse(parts.query),
    body: ROUTE.body.parse(parts.body),
  };
};

/** What nobody foresaw is no answer to show but a failure to log, as that of any admin call. */
const explain = (error: unknown, isOutage: IsOutage) => {
  const answer = toErrorAnswer(error, isOutage, 'joinByPlatformSession');
  if (answer.status === 500) throw error;
  return answer;
};

const toHeaders = (requestId: string): Record<string, string> => ({
  'content-type': JSON_TYPE,
  'x-request-id': requestId,
  ...STANDARD_HEADERS,
});

/** The body as a client reads it: what is undefined is not there. */
const toAnswer = (
  status: number,
  headers: Record<string, string>,
  body: unknown,
): PublicAnswer => ({ status, headers, body: JSON.parse(JSON.stringify(body)) });
