// Every answer of a route: what it means, its headers, its body with examples.
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { contract } from '../router.ts';
import type { RouteName } from './contract-route.ts';
import { describeHeaders } from './describe-headers.ts';
import { listErrorExamples } from './examples/error-examples.ts';
import { ITEM_HISTORIES, XP_HISTORIES } from './examples/history-examples.ts';
import { JOINED_SESSIONS } from './examples/join-examples.ts';
import { VALIDATION_ERRORS } from './examples/validation-examples.ts';

/** What each status says, on whichever route. */
const MEANINGS: Record<string, string> = {
  403: 'The credential was not accepted, or the caller or the session does not permit this.',
  404: 'What the path names does not exist.',
  405: 'The route does not answer this method.',
  409: 'Not possible now: try again after the time in `Retry-After`.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is compressed.',
  422: 'The request is not valid; the body lists every problem.',
  429: 'Too many requests: try again after the time in `Retry-After`.',
  431: 'The request line and headers are larger than 64 KiB.',
  500: 'A mistake in the service. Quote the request id when you report it.',
  503: 'The service cannot answer now: try again after the time in `Retry-After`.',
};

const SUCCESSES = {
  listItemHistory: { description: 'A page of versions of Items.', examples: ITEM_HISTORIES },
  listXpHistory: { description: 'A page of versions of Xp tables.', examples: XP_HISTORIES },
  joinByPlatformSession: {
    description: 'The player holds a seat. The session as it is now.',
    examples: JOINED_SESSIONS,
  },
} as const satisfies Record<RouteName, { description: string; examples: object }>;

export const describeResponses = (name: RouteName): ZodOpenApiResponsesObject =>
  Object.fromEntries(
    Object.entries(contract[name].responses).map(([status, schema]) => [
      status,
      {
        description: status === '200' ? SUCCESSES[name].description : (MEANINGS[status] ?? ''),
        headers: describeHeaders(name, Number(status)),
        content: { 'application/json': { schema, examples: listExamples(name, status) } },
      },
    ]),
  );

const listExamples = (name: RouteName, status: string) => {
  if (status === '200') return SUCCESSES[name].examples;
  return status === '422' ? VALIDATION_ERRORS[name] : listErrorExamples(name, Number(status));
};
