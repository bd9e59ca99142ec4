// One route of the contract as one operation.

import { z } from 'zod';
import type {
  ZodOpenApiHeadersObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { RETRIED_STATUSES } from '../errors/error-catalogue.ts';
import { contract, HISTORY_ACCESS } from '../router.ts';
import type { RouteName } from './error-examples.ts';
import { listErrorExamples, VALIDATION_ERRORS } from './error-examples.ts';
import { ITEM_HISTORIES, JOIN_REQUESTS, JOINED_SESSIONS, XP_HISTORIES } from './examples.ts';

const TAG_OF = {
  listItemHistory: 'Histories',
  listXpHistory: 'Histories',
  joinByPlatformSession: 'Sessions',
} as const satisfies Record<RouteName, string>;

export type HistoryAccess = 'authenticated' | 'public';

export const describeOperation = (
  name: RouteName,
  historyAccess: HistoryAccess,
): ZodOpenApiOperationObject => {
  const route = contract[name];
  const isOpen = historyAccess === 'public' && TAG_OF[name] === 'Histories';
  const responses = describeResponses(name);
  return {
    operationId: name,
    tags: [TAG_OF[name]],
    summary: route.summary,
    description: isOpen
      ? route.description.replace(HISTORY_ACCESS, 'This service opens its histories to everyone.')
      : route.description,
    ...(isOpen && { security: [] }),
    requestParams: { path: route.pathParams, query: route.query, header: RequestHeaders },
    ...('body' in route && {
      requestBody: {
        required: true,
        description: 'What the player states about themselves.',
        content: { 'application/json': { schema: route.body, examples: JOIN_REQUESTS } },
      },
    }),
    responses: isOpen ? withoutForbidden(responses) : responses,
  };
};

/** Declared, not validated: the service replaces an id that it cannot log. */
const RequestHeaders = z.object({
  'X-Request-Id': z.string().optional().meta({
    description:
      'Names the request in logs and in the answer: 1..128 letters, digits, dots, underscores or hyphens. The service makes one in place of any other, and when it is absent.',
    minLength: 1,
    maxLength: 128,
    pattern: '^[A-Za-z0-9._-]+$',
  }),
});

/** A history that is open to everyone looks at no credential. */
const withoutForbidden = (responses: ZodOpenApiResponsesObject): ZodOpenApiResponsesObject =>
  Object.fromEntries(Object.entries(responses).filter(([status]) => status !== '403'));

// Every answer of a route: what it means, its headers, its body with examples.

/** What each status says, on whichever route. The 413 names the size. */
const MEANINGS: Record<string, string> = {
  403: 'The credential was not accepted, or the caller or the session does not permit this.',
  404: 'What the path names does not exist.',
  405: 'The route does not answer this method.',
  409: 'Not possible now, or the caller is over its rate limit: try again after the time in `Retry-After`.',
  415: 'The body is compressed.',
  422: 'The request is not valid; the body lists every problem.',
  429: 'Too many requests: try again after the time in `Retry-After`.',
  431: 'The request line and headers are larger than 32 KiB, or there are over 1,000 headers.',
  500: 'A mistake in the service. Quote the request id when you report it.',
  503: 'The service cannot answer now: try again after the time in `Retry-After`.',
};

/** The service ignores the body of a GET, which has a limit all the same. */
const MAX_BODY = {
  listItemHistory: '1 MiB',
  listXpHistory: '1 MiB',
  joinByPlatformSession: '128 KiB',
} as const satisfies Record<RouteName, string>;

const SUCCESSES = {
  listItemHistory: { description: 'A page of versions of Items.', examples: ITEM_HISTORIES },
  listXpHistory: { description: 'A page of versions of Xp tables.', examples: XP_HISTORIES },
  joinByPlatformSession: {
    description: 'The player holds a seat. The session as it is now.',
    examples: JOINED_SESSIONS,
  },
} as const satisfies Record<RouteName, { description: string; examples: object }>;

const describeResponses = (name: RouteName): ZodOpenApiResponsesObject =>
  Object.fromEntries(
    Object.entries(contract[name].responses).map(([status, schema]) => [
      status,
      {
        description: describeStatus(name, status),
        headers: describeHeaders(name, Number(status)),
        content: { 'application/json': { schema, examples: listExamples(name, status) } },
      },
    ]),
  );

const describeStatus = (name: RouteName, status: string): string => {
  if (status === '200') return SUCCESSES[name].description;
  if (status === '413') return `The body is larger than ${MAX_BODY[name]}.`;
  return MEANINGS[status] ?? '';
};

const listExamples = (name: RouteName, status: string) => {
  if (status === '200') return SUCCESSES[name].examples;
  return status === '422' ? VALIDATION_ERRORS[name] : listErrorExamples(name, Number(status));
};

// The headers of an answer, by its status.

const REQUEST_ID = {
  description: 'Names this request in the logs: the one that the client sent, or a new one.',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 128 },
  example: '0d9f4c1e-7a52-4f0b-9a44-8d1f5c7b2e60',
} as const;

const ETAG = {
  description:
    'Strong validator of the session (RFC 9110 section 8.8.3): changes exactly when the session does.',
  required: true,
  schema: { type: 'string' },
  example: '"Zk3vQ0aT-4"',
} as const;

const RETRY_AFTER = {
  description:
    'Seconds to wait before the next attempt. For `rate_limited`, the time after which the next request of this caller is accepted, if the caller sends none before that. For other codes, drawn anew for each response: 1 to 3 when the service or the session is busy, 5 to 15 while the team, the session or the instance takes no new players.',
  required: true,
  schema: { type: 'integer', minimum: 1 },
  example: 1,
} as const;

const describeAllow = (method: string) =>
  ({
    description: 'The methods that the route answers.',
    required: true,
    schema: { type: 'string' },
    example: method === 'GET' ? 'GET, HEAD' : method,
  }) as const;

const describeHeaders = (name: RouteName, status: number): ZodOpenApiHeadersObject => ({
  ...(name === 'joinByPlatformSession' && status === 200 && { ETag: ETAG }),
  ...(RETRIED_STATUSES.has(status) && { 'Retry-After': RETRY_AFTER }),
  ...(status === 405 && { Allow: describeAllow(contract[name].method) }),
  'X-Request-Id': REQUEST_ID,
});
