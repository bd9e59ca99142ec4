// Calls tRPC with a request that has been read. tRPC's own handler for Express reads the body and writes the response in one step each,
// and offers streams of batches, which the admin API does not promise.
import type { AnyRouter } from '@trpc/server';
import type { HTTPBaseHandlerOptions, TRPCRequestInfo } from '@trpc/server/http';
import { resolveResponse } from '@trpc/server/http';
import type { Request as HttpRequest, Response as HttpResponse, RequestHandler } from 'express';
import type { AdminContext } from '../admin/index.ts';
import { createAnswerTexts } from '../admin/index.ts';
import { encodePaced, parsePaced } from '../flow/index.ts';

type TrpcOptions = HTTPBaseHandlerOptions<AnyRouter, Request>;
type HandlerOptions = Pick<TrpcOptions, 'router' | 'maxBatchSize' | 'responseMeta'> & {
  createContext(
    request: HttpRequest,
    response: HttpResponse,
    info: TRPCRequestInfo,
  ): Omit<AdminContext, 'answers'>;
  onError(
    failure: Parameters<NonNullable<TrpcOptions['onError']>>[0],
    response: HttpResponse,
  ): void;
};

/** `request.body` is the text of the body. */
export const createAdminHandler =
  ({ createContext, onError, ...options }: HandlerOptions): RequestHandler =>
  async (request, response) => {
    const answers = createAnswerTexts();
    const answer = await resolveResponse({
      ...options,
      // Generated clients cannot send the percent-encoded JSON of a GET.
      allowMethodOverride: true,
      path: request.path.slice(1),
      error: null,
      req: toFetchRequest(request, response),
      createContext: async ({ info }) => ({ ...createContext(request, response, info), answers }),
      onError: (failure) => onError(failure, response),
    });
    response.status(answer.status);
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    response.end(await encodePaced(answers.fill(await answer.text())));
  };

/** Other types have been refused, and the caller of a procedure without an input may have sent none. */
const JSON_TYPE = { 'content-type': 'application/json' };

const toFetchRequest = (request: HttpRequest, response: HttpResponse): Request => {
  const leaving = new AbortController();
  response.once('close', () => {
    if (!response.writableEnded) leaving.abort();
  });
  // As a text: resolved against an origin, a path that begins with two slashes would name another host.
  const read = new Request(`http://localhost${request.url}`, {
    method: request.method,
    signal: leaving.signal,
    headers: JSON_TYPE,
  });
  const json = () => {
    const text = request.body;
    // tRPC reads it once. Frees megabytes before the response.
    request.body = '';
    return text === '' ? undefined : parsePaced(text);
  };
  return Object.assign(read, { json });
};
