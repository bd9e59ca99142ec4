import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { expect, test, vi } from 'vitest';
import { ITEMS } from '../../test/public-client.ts';
import type { Caller } from '../auth/index.ts';
import { createPublicRequestMiddleware } from './public-request.ts';
import { RequestAbortedError } from './request.ts';

test.each([
  ['is not begun when its client has left by then', true],
  ['is begun when its client is still there', false],
])('a history whose caller is looked up for a while %s', async (_, leaves) => {
  const lookUp = Promise.withResolvers<Caller>();
  const handle = createPublicRequestMiddleware({
    authenticate: () => lookUp.promise,
    historyAccess: 'authenticated',
  });
  const request = Object.assign(new IncomingMessage(new Socket()), { url: ITEMS, method: 'GET' });
  const response = Object.assign(new ServerResponse(request), { locals: {} });
  const next = vi.fn();
  const handled = handle(request as unknown as Request, response as unknown as Response, next);
  if (leaves) response.destroy();
  lookUp.resolve({ accountId: 'a', permissions: ['*'] });
  if (leaves) await expect(handled).rejects.toThrow(RequestAbortedError);
  else await handled;
  expect(next).toHaveBeenCalledTimes(leaves ? 0 : 1);
});
