// The response of the state "a temporary refusal". No service can be overloaded for one request only, so the kit writes the response,
// from the contract's own catalogue. A test compares it with a response of the service.
import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@muster/contract';
import {
  ERROR_CATALOGUE,
  HISTORY_ERROR_CODES,
  JOIN_ERROR_CODES,
  statusOfJoinError,
  toServiceErrorBody,
} from '@muster/contract';
import type { RefusalStateParameters, RequestRoute } from '../provider-states/resolve-state.ts';
import { StateError } from './service-client.ts';

export type Refusal = { status: number; headers: Record<string, string>; body: Buffer };

/** Throws StateError for a code that the operation is never refused with. */
export const makeRefusal = (
  { error_code, retry_after }: RefusalStateParameters,
  route: RequestRoute | null,
): Refusal => {
  const isJoin = route?.operation === 'joinByPlatformSession';
  const code = error_code ?? (isJoin ? 'service_overloaded' : 'service_unavailable');
  const possible: readonly ErrorCode[] = isJoin ? JOIN_ERROR_CODES : HISTORY_ERROR_CODES;
  if (!possible.includes(code)) {
    throw new StateError(`${isJoin ? 'a join' : 'a history'} is never refused with ${code}`);
  }
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
