// Answers requests that cannot be read: too many headers, broken HTTP, bytes that arrive too slowly.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@muster/contract';
import { ERROR_CATALOGUE, toServiceErrorBody } from '@muster/contract';
import type { Response } from 'express';
import { ServiceError } from '../platform/index.ts';
import { TIMES } from './limits.ts';
import type { Refusal } from './request.ts';
import { localsOf } from './request.ts';
import { noteRefusal } from './request-log.ts';

/** Logs a response to a request that did not reach the application. */
export type OnUnreadable = (requestId: string, refusal: Refusal) => void;

/**
 * For the server's `clientError` event. A complete request before the broken bytes gets its own response, since it may have been
 * processed; then the connection ends.
 */
export const answerClientError = (
  error: NodeJS.ErrnoException | ServiceError,
  socket: Duplex,
  onUnreadable?: OnUnreadable,
): void => {
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
  const refused =
    error instanceof ServiceError
      ? error
      : new ServiceError(CODES[error.code ?? ''] ?? 'request_malformed');
  const begun = findBegun(pending);
  const requestId = begun ? localsOf(begun).requestId : randomUUID();
  // The application logs a request that has reached it, with what is noted here.
  if (begun) noteRefusal(begun, refused, toRefusal(refused));
  else onUnreadable?.(requestId, toRefusal(refused));
  answerLast(socket, refused, requestId);
};

const toRefusal = ({ code, message }: ServiceError): Refusal => ({
  status: ERROR_CATALOGUE[code].status,
  error_code: code,
  reason: message,
});

/** The response, if the application has its request. */
const findBegun = (pending: ServerResponse | null): Response | null =>
  pending && 'locals' in pending ? (pending as Response) : null;

/** Answers an incomplete request and ends its connection. Does nothing for other connections. */
export const answerIncomplete = (socket: Duplex, onUnreadable?: OnUnreadable): void => {
  const pending = findPendingAnswer(socket);
  if (pending && !pending.req.complete) answerClientError(REQUEST_TIMED_OUT, socket, onUnreadable);
};

/** As Node.js reports it. */
export const REQUEST_TIMED_OUT = Object.assign(new Error('The request came too slowly.'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
});

/** CONNECT asks for a tunnel; this is no proxy, and no route answers it. */
export const answerConnect = (socket: Duplex, onUnreadable?: OnUnreadable): void => {
  const refused = new ServiceError('route_not_found');
  const requestId = randomUUID();
  onUnreadable?.(requestId, toRefusal(refused));
  answerLast(socket, refused, requestId);
};

/**
 * Answers and ends the connection. Node.js applies no timeout to a connection without a request: a client that never closes its side
 * would keep it for ever. After an immediate close, bytes that still arrive could make the network drop the response.
 */
const answerLast = (socket: Duplex, refused: ServiceError, requestId: string): void => {
  const timer = setTimeout(() => socket.destroy(), TIMES.linger);
  socket.once('close', () => clearTimeout(timer));
  // Node.js has no listener left on a connection that asked for a tunnel: an error of it would end the process.
  socket.on('error', () => socket.destroy());
  // A response before this one may have ended the connection.
  if (socket.writable) socket.end(writeAnswer(refused, requestId));
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

const writeAnswer = ({ code, message }: ServiceError, requestId: string): string => {
  const { status } = ERROR_CATALOGUE[code];
  const body = JSON.stringify(toServiceErrorBody(code, message));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
};
