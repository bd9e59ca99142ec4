// What the service really says about requests that are wrong: found by the schemas themselves.
import type { z } from 'zod';
import type { ProblemSource } from '../../errors/validation-problems.ts';
import { describeIssues } from '../../errors/validation-problems.ts';
import { ItemHistoryQuery, XpHistoryQuery } from '../../history/history-query.ts';
import { contract } from '../../router.ts';
import { JoinRequest } from '../../session/join-request.ts';
import type { RouteName } from '../contract-route.ts';

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
} as const satisfies Record<RouteName, object>;
