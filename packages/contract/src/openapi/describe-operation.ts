// One route of the contract as one operation.

import { z } from 'zod';
import type {
  ZodOpenApiHeadersObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { companionContract } from '../companion/companion-router.ts';
import { RETRIED_STATUSES } from '../errors/error-catalogue.ts';
import { contract, HISTORY_ACCESS } from '../router.ts';
import type { RouteName } from './error-examples.ts';
import { listErrorExamples, listRetryAfterExamples, VALIDATION_ERRORS } from './error-examples.ts';
import {
  ITEM_HISTORIES,
  JOIN_REQUESTS,
  JOINED_SESSIONS,
  PLAYER_SESSIONS,
  READ_SESSIONS,
  XP_HISTORIES,
} from './examples.ts';

const ROUTES = { ...contract, ...companionContract };

const TAG_OF = {
  listItemHistory: 'Histories',
  listXpHistory: 'Histories',
  joinByPlatformSession: 'Sessions',
  readSession: 'Sessions',
  listPlayerSessions: 'Sessions',
  leaveSession: 'Sessions',
} as const satisfies Record<RouteName, string>;

export type HistoryAccess = 'authenticated' | 'public';

export const describeOperation = (
  name: RouteName,
  historyAccess: HistoryAccess,
): ZodOpenApiOperationObject => {
  const route = ROUTES[name];
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
    requestParams: { path: route.pathParams, query: route.query, header: describeInput(name) },
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

const describeInput = (name: RouteName) =>
  name === 'readSession'
    ? companionContract.readSession.headers
        .omit({ authorization: true })
        .extend(RequestHeaders.shape)
    : RequestHeaders;

/** A history that is open to everyone looks at no credential. */
const withoutForbidden = (responses: ZodOpenApiResponsesObject): ZodOpenApiResponsesObject =>
  Object.fromEntries(Object.entries(responses).filter(([status]) => status !== '403'));

// Every answer of a route: what it means, its headers, its body with examples.

/** What each status says, on whichever route. The 413 names the size. */
const MEANINGS: Record<string, string> = {
  304: 'The client has the current session: its ETag is in `If-None-Match`.',
  403: 'The credential was not accepted, or the caller or the session does not permit this.',
  404: 'What the path names does not exist.',
  405: 'The route does not answer this method.',
  409: 'Not possible now, or the caller is over its rate limit: try again after the time in `Retry-After`.',
  415: 'The body is compressed.',
  422: 'The request is not valid; the body lists every problem.',
  429: 'Too many requests: try again after the time in `Retry-After`.',
  431: 'The request line and headers are larger than 32 KiB, or there are over 1,000 headers.',
  500: 'A fault of the service. Quote the request id when you report it.',
  503: 'The service cannot answer now: try again after the time in `Retry-After`.',
};

/** The service ignores the body of a GET or DELETE, which has a limit all the same. */
const MAX_BODY = {
  listItemHistory: '1 MiB',
  listXpHistory: '1 MiB',
  joinByPlatformSession: '128 KiB',
  readSession: '1 MiB',
  listPlayerSessions: '1 MiB',
  leaveSession: '1 MiB',
} as const satisfies Record<RouteName, string>;

const SUCCESSES = {
  listItemHistory: { description: 'A page of versions of Items.', examples: ITEM_HISTORIES },
  listXpHistory: { description: 'A page of versions of Xp tables.', examples: XP_HISTORIES },
  joinByPlatformSession: {
    description: 'The player holds a seat. The session as it is now.',
    examples: JOINED_SESSIONS,
  },
  readSession: { description: 'The session as it is now.', examples: READ_SESSIONS },
  listPlayerSessions: { description: 'The sessions of the player.', examples: PLAYER_SESSIONS },
  leaveSession: { description: 'The player has no seat in the session.', examples: {} },
} as const satisfies Record<RouteName, { description: string; examples: object }>;

const describeResponses = (name: RouteName): ZodOpenApiResponsesObject =>
  Object.fromEntries(
    Object.entries(ROUTES[name].responses).map(([status, schema]) => [
      status,
      {
        description: describeStatus(name, status),
        headers: describeHeaders(name, Number(status)),
        ...(schema instanceof z.ZodType && {
          content: { 'application/json': { schema, examples: listExamples(name, status) } },
        }),
      },
    ]),
  );

const describeStatus = (name: RouteName, status: string): string => {
  if (status === '200' || status === '204') return SUCCESSES[name].description;
  if (status === '413') return `The body is larger than ${MAX_BODY[name]}.`;
  return MEANINGS[status] ?? '';
};

/** A response without a body has one example, that of its headers. */
const listExamples = (name: RouteName, status: string) => {
  if (status === '204' || status === '304') return { empty: {} };
  if (status === '200') return SUCCESSES[name].examples;
  return status === '422' ? VALIDATION_ERRORS[name] : listErrorExamples(name, Number(status));
};

// The headers of an answer, by its status. Their examples have the names of the body's, so that a stub or a test that
// picks one of them sends a body and headers that belong together.

type Header = { description: string; schema: object };
type HeaderExamples = Record<string, { summary?: string; value: string | number }>;

const REQUEST_ID: Header = {
  description: 'Names this request in the logs: the one that the client sent, or a new one.',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
};

const ETAG: Header = {
  description:
    'Strong validator of the session (RFC 9110 section 8.8.3): changes exactly when the session does.',
  schema: { type: 'string' },
};

const RETRY_AFTER: Header = {
  description:
    'Seconds to wait before the next attempt. For `rate_limited`, the time after which the next request of this caller is accepted, if the caller sends none before that. For other codes, drawn anew for each response: 1 to 3 when the service or the session is busy, 5 to 15 while the team, the session or the instance takes no new players. During maintenance, the time that the operator chose and up to half as much again.',
  schema: { type: 'integer', minimum: 1 },
};

const ALLOW: Header = {
  description: 'The methods that the route answers.',
  schema: { type: 'string' },
};

const describeHeaders = (name: RouteName, status: number): ZodOpenApiHeadersObject => {
  const names = Object.keys(listExamples(name, String(status)));
  const inEach = (value: string): HeaderExamples =>
    Object.fromEntries(names.map((example) => [example, { value }]));
  const { method } = ROUTES[name];
  const hasEtag = name === 'readSession' && (status === 200 || status === 304);
  const isJoined = name === 'joinByPlatformSession' && status === 200;
  const headers: Record<string, [Header, HeaderExamples] | false> = {
    ETag: (isJoined || hasEtag) && [ETAG, inEach('"Zk3vQ0aT-4"')],
    'Retry-After': RETRIED_STATUSES.has(status) && [
      RETRY_AFTER,
      listRetryAfterExamples(name, status),
    ],
    Allow: status === 405 && [ALLOW, inEach(method === 'GET' ? 'GET, HEAD' : method)],
    'X-Request-Id': [REQUEST_ID, inEach('0d9f4c1e-7a52-4f0b-9a44-8d1f5c7b2e60')],
  };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([header, entry]) => {
      if (!entry) return [];
      const [{ description, schema }, examples] = entry;
      return [[header, { description, required: true, schema, examples }]];
    }),
  );
};
