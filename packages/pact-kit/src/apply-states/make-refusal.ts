// The response of the state "a temporary refusal". No service can be overloaded for one request only, so the kit writes the response,
// from the contract's own catalogue. A test compares it with a response of the service.
import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@muster/contract';
import {
  ERROR_CATALOGUE,
  HISTORY_ERROR_CODES,
  JOIN_ERROR_CODES,
  SESSION_ERROR_CODES,
  SESSION_LIST_ERROR_CODES,
  statusOfJoinError,
  toServiceErrorBody,
} from '@muster/contract';
import type { RefusalStateParameters, RequestRoute } from '../provider-states/resolve-state.ts';
import type { OperationName } from '../provider-states/state-definition.ts';
import { StateError } from './service-client.ts';

export type Refusal = { status: number; headers: Record<string, string>; body: Buffer };

/** Throws StateError for a code that the operation is never refused with. */
export const makeRefusal = (
  { error_code, retry_after }: RefusalStateParameters,
  route: RequestRoute | null,
): Refusal => {
  const isJoin = route?.operation === 'joinByPlatformSession';
  const code = error_code ?? (isJoin ? 'service_overloaded' : 'service_unavailable');
  const { name, codes } = KINDS[route?.operation ?? 'listItemHistory'];
  if (!codes.includes(code)) throw new StateError(`${name} is never refused with ${code}`);
  return {
    status: isJoin ? statusOfJoinError(code) : ERROR_CATALOGUE[code].status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'retry-after': String(retry_after),
      'x-request-id': randomUUID(),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: Buffer.from(JSON.stringify(toServiceErrorBody(code))),
  };
};

type Kind = { name: string; codes: readonly ErrorCode[] };

const HISTORY: Kind = { name: 'a history', codes: HISTORY_ERROR_CODES };

const KINDS: Record<OperationName, Kind> = {
  joinByPlatformSession: { name: 'a join', codes: JOIN_ERROR_CODES },
  listItemHistory: HISTORY,
  listXpHistory: HISTORY,
  readSession: { name: 'a read of a session', codes: SESSION_ERROR_CODES },
  listPlayerSessions: { name: 'a list of sessions', codes: SESSION_LIST_ERROR_CODES },
  leaveSession: { name: 'a leave', codes: SESSION_ERROR_CODES },
};
