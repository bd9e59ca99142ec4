// Each refusal as it is sent: the catalogue's body of every code that the route answers with that status.

import type { z } from 'zod';
import { companionContract } from '../companion/companion-router.ts';
import { toServiceErrorBody } from '../errors/error-bodies.ts';
import type { ErrorCode } from '../errors/error-catalogue.ts';
import {
  drawRetryAfter,
  ERROR_CATALOGUE,
  HISTORY_ERROR_CODES,
  JOIN_ERROR_CODES,
  SESSION_ERROR_CODES,
  SESSION_LIST_ERROR_CODES,
  statusOfJoinError,
} from '../errors/error-catalogue.ts';
import type { ProblemSource } from '../errors/validation-problems.ts';
import { describeIssues } from '../errors/validation-problems.ts';
import { ItemHistoryQuery, XpHistoryQuery } from '../history/history.ts';
import { contract } from '../router.ts';
import { JoinRequest } from '../session/join-request.ts';

const CODES_OF = {
  listItemHistory: HISTORY_ERROR_CODES,
  listXpHistory: HISTORY_ERROR_CODES,
  joinByPlatformSession: JOIN_ERROR_CODES,
  readSession: SESSION_ERROR_CODES,
  listPlayerSessions: SESSION_LIST_ERROR_CODES,
  leaveSession: SESSION_ERROR_CODES,
} as const satisfies Record<RouteName, readonly ErrorCode[]>;

export const listErrorExamples = (name: RouteName, status: number) => {
  return Object.fromEntries(
    listCodes(name, status).map((code) => [
      code,
      { summary: ERROR_CATALOGUE[code].desc, value: toServiceErrorBody(code) },
    ]),
  );
};

/** The header of each refusal, under the same names as the bodies, so that a stub answers both alike. */
export const listRetryAfterExamples = (name: RouteName, status: number) =>
  Object.fromEntries(
    listCodes(name, status).map((code) => [
      code,
      { summary: describeRetryAfter(code), value: drawRetryAfter(code, () => 0) },
    ]),
  );

const describeRetryAfter = (code: ErrorCode): string => {
  if (code === 'rate_limited') return 'Exact: the next request is accepted after this time.';
  const [from, to] = [() => 0, () => 1 - Number.EPSILON].map((r) => drawRetryAfter(code, r));
  return `${from} to ${to} seconds, drawn anew for each response.`;
};

const listCodes = (name: RouteName, status: number): ErrorCode[] =>
  CODES_OF[name].filter((code) => statusOf(name, code) === status);

const statusOf = (name: RouteName, code: ErrorCode): number =>
  name === 'joinByPlatformSession' ? statusOfJoinError(code) : ERROR_CATALOGUE[code].status;

// What the service really says about requests that are wrong: found by the schemas themselves.

const findProblems = (source: ProblemSource, schema: z.ZodType, input: unknown) =>
  describeIssues(source, schema.safeParse(input).error?.issues ?? [], input);

const { pathParams } = contract.listItemHistory;

const describeHistoryErrors = (query: z.ZodType) => ({
  query: {
    summary: 'Two parameters are out of bounds.',
    value: { detail: findProblems('query', query, { page_size: '0', sort_order: 'newest' }) },
  },
  path: {
    summary: 'The sandbox is not a UUID.',
    value: { detail: findProblems('path', pathParams, { sandbox_id: 'production' }) },
  },
});

const describePathErrors = (schema: z.ZodType, path: object, summary: string) => ({
  path: { summary, value: { detail: findProblems('path', schema, path) } },
});

export const VALIDATION_ERRORS = {
  listItemHistory: describeHistoryErrors(ItemHistoryQuery),
  listXpHistory: describeHistoryErrors(XpHistoryQuery),
  joinByPlatformSession: {
    body: {
      summary: 'A field is missing and two are wrong.',
      value: {
        detail: findProblems('body', JoinRequest, {
          client_version: '1.4',
          client_settings: { platform: 'Steam', input: 'joystick' },
        }),
      },
    },
    unknown_team: {
      summary: 'The session has no such team.',
      value: {
        detail: [
          {
            loc: ['body', 'team_id'],
            msg: 'The session has no such team',
            type: 'value_error.team',
          },
        ],
      },
    },
  },
  readSession: describePathErrors(
    companionContract.readSession.pathParams,
    { type: 'duel', session_id: 'x'.repeat(129) },
    'The id of the session is too long.',
  ),
  listPlayerSessions: describePathErrors(
    companionContract.listPlayerSessions.pathParams,
    { player_uuid: 'me' },
    'The player is not a UUID.',
  ),
  leaveSession: describePathErrors(
    companionContract.leaveSession.pathParams,
    { type: 'duel', session_id: 'final', player_uuid: 'me' },
    'The player is not a UUID.',
  ),
} as const satisfies Record<RouteName, object>;

/** Ids of the demo data: on a service that was started with it, the examples can be tried as they are. */
export const PATH_EXAMPLES: Record<string, string> = {
  sandbox_id: '6b5ef782-5c91-4a87-81a8-ad9b22921497',
  platform: 'Steam',
  platform_session_id_base64: 'bXVzdGVyLWRlbW8td2VsY29tZQ',
  player_uuid: '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a70',
  type: 'social-hub',
  session_id: 'welcome',
};

export type RouteName = keyof typeof contract | keyof typeof companionContract;
