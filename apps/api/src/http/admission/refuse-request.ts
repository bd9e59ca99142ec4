// The answer to a request that is turned away before anything is known about it: written once, sent as it is.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '@muster/contract';
import { ERROR_CATALOGUE, toServiceErrorBody } from '@muster/contract';
import { chooseRequestId, STANDARD_HEADERS } from '../request-context.ts';
import type { RequestKind } from './request-kind.ts';

const prepare = (code: ErrorCode) => {
  const body = JSON.stringify(toServiceErrorBody(code));
  const headers = [
    ...[
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(Buffer.byteLength(body)),
    ],
    ...Object.entries(STANDARD_HEADERS).flat(),
  ];
  return { status: ERROR_CATALOGUE[code].status, headers, body };
};

/** The join has no 503 and everything else has no 409 for this. */
const JOIN_ANSWER = prepare('service_overloaded');
const OTHER_ANSWER = prepare('service_unavailable');

/** Seconds. Spread, so that those who were turned away together do not come back together. */
const LATEST_RETRY = 4;
let retryAfter = 0;
const nextRetryAfter = (): string => {
  retryAfter = (retryAfter % LATEST_RETRY) + 1;
  return String(retryAfter);
};

/** `isLast` asks the client to leave the connection, as every answer of a stopping service does. */
export const refuseRequest = (
  kind: RequestKind,
  request: IncomingMessage,
  response: ServerResponse,
  isLast: boolean,
): void => {
  const { status, headers, body } = kind === 'join' ? JOIN_ANSWER : OTHER_ANSWER;
  const own = ['X-Request-Id', chooseRequestId(request), 'Retry-After', nextRetryAfter()];
  const closing = isLast ? ['Connection', 'close'] : [];
  response.writeHead(status, [...headers, ...own, ...closing]).end(body);
};
