// Reads the raw bytes of a request, up to a limit.
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors/service-error.ts';

/** One mebibyte: 250 times the longest join request that makes sense. */
export const MAX_BODY_BYTES = 1_048_576;

/** The client went away before its request was complete: there is nobody to answer. */
export class RequestAbortedError extends Error {
  override readonly name = 'RequestAbortedError';
}

/** Throws `body_too_large`, `body_compressed`, or RequestAbortedError. Never holds more than the limit. */
export const readBody = async (
  request: IncomingMessage,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    throw new ServiceError('body_too_large');
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') throw new ServiceError('body_compressed');
  return collect(request, maxBytes);
};

const collect = (request: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (done: () => void) => () => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      done();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) settle(() => reject(new ServiceError('body_too_large')))();
      else chunks.push(chunk);
    };
    const onEnd = settle(() => resolve(Buffer.concat(chunks)));
    const onGone = settle(() => reject(new RequestAbortedError()));
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
