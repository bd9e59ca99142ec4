import { expect, test } from 'vitest';
import type { RawResponse } from './response-reader.ts';
import { ResponseReader } from './response-reader.ts';

const BYTES = Buffer.from(
  [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 409 Conflict\r\nRetry-After: 2\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\n0\r\n\r\n012345\r\n0\r\n\r\n',
    'HTTP/1.1 204 No Content\r\n\r\n',
    'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}',
  ].join(''),
);

const readIn = (size: number): RawResponse[] => {
  const responses: RawResponse[] = [];
  const reader = new ResponseReader((response) => responses.push(response));
  for (let at = 0; at < BYTES.length; at += size) reader.read(BYTES.subarray(at, at + size));
  return responses;
};

test.each([1, 2, 3, 7, 64, BYTES.length])(
  'reads pipelined responses that arrive in pieces of %i bytes',
  (size) => {
    expect(readIn(size)).toEqual([
      { status: 200, hasRetryAfter: false },
      { status: 409, hasRetryAfter: true },
      { status: 200, hasRetryAfter: false },
      { status: 204, hasRetryAfter: false },
      { status: 503, hasRetryAfter: false },
    ]);
  },
);
