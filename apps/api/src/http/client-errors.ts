// Answers what never became a request: too many headers, broken HTTP, bytes that come too slowly.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@muster/contract';
import { ERROR_CATALOGUE, toServiceErrorBody } from '@muster/contract';

/**
 * For the server's `clientError` event. A request that came whole before the broken bytes gets its own
 * answer, since what it asked for may be done already; then the connection ends.
 */
export const answerClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  const pending = findPendingAnswer(socket);
  const cannotAnswer = pending?.headersSent && !pending.req.complete;
  if (error.code === 'ECONNRESET' || !socket.writable || cannotAnswer) {
    socket.destroy();
    return;
  }
  if (pending?.req.complete) {
    pending.shouldKeepAlive = false;
    pending.once('close', () => socket.destroy());
    return;
  }
  socket.end(writeAnswer(CODES[error.code ?? ''] ?? 'request_malformed'));
};

/** CONNECT asks for a tunnel; this is no proxy, and no route answers it. */
export const answerConnect = (socket: Duplex): void => {
  socket.end(writeAnswer('route_not_found'));
};

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Node keeps the answer that a socket is busy with under this name. */
const findPendingAnswer = (socket: Duplex): ServerResponse | null => {
  const answer = '_httpMessage' in socket ? (socket._httpMessage as ServerResponse | null) : null;
  return answer && !answer.writableFinished ? answer : null;
};

const writeAnswer = (code: ErrorCode): string => {
  const { status } = ERROR_CATALOGUE[code];
  const body = JSON.stringify(toServiceErrorBody(code));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
};
