// Each refusal as it is sent: the catalogue's body of every code that the route answers with that status.
import { toServiceErrorBody } from '../../errors/error-bodies.ts';
import type { ErrorCode } from '../../errors/error-catalogue.ts';
import { ERROR_CATALOGUE } from '../../errors/error-catalogue.ts';
import { HISTORY_ERROR_CODES, JOIN_ERROR_CODES } from '../../errors/public-error-codes.ts';
import type { RouteName } from '../contract-route.ts';

const CODES_OF = {
  listItemHistory: HISTORY_ERROR_CODES,
  listXpHistory: HISTORY_ERROR_CODES,
  joinByPlatformSession: JOIN_ERROR_CODES,
} as const satisfies Record<RouteName, readonly ErrorCode[]>;

export const listErrorExamples = (name: RouteName, status: number) => {
  const codes = CODES_OF[name].filter((code) => ERROR_CATALOGUE[code].status === status);
  return Object.fromEntries(
    codes.map((code) => [
      code,
      { summary: ERROR_CATALOGUE[code].desc, value: toServiceErrorBody(code) },
    ]),
  );
};
