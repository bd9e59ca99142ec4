import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { expect, test, vi } from 'vitest';
import { ITEMS } from '../../test/public-client.ts';
import type { Caller } from '../auth/index.ts';
import { leaseUntilClosed } from './caller-limiter.ts';
import { createPublicRequestMiddleware, findPublicRoute } from './public-request.ts';
import { RequestAbortedError } from './request.ts';
import { createTestProtection } from './testing/test-protection.ts';

test.each([
  ['is not begun when its client has left by then', true],
  ['is begun when its client is still there', false],
])('a history whose caller is looked up for a while %s', async (_, leaves) => {
  const onError = vi.fn();
  const lookUp = Promise.withResolvers<Caller>();
  const handle = createPublicRequestMiddleware({
    authenticate: () => lookUp.promise,
    historyAccess: 'authenticated',
    findRoute: findPublicRoute,
    protection: createTestProtection(),
    onError,
  });
  const request = Object.assign(new IncomingMessage(new Socket()), { url: ITEMS, method: 'GET' });
  const response = Object.assign(new ServerResponse(request), { locals: {} });
  const next = vi.fn();
  const handled = handle(request as unknown as Request, response as unknown as Response, next);
  if (leaves) response.destroy();
  lookUp.resolve({ accountId: 'a', permissions: ['*'] });
  await handled;
  if (leaves) expect(onError.mock.lastCall?.[0]).toBeInstanceOf(RequestAbortedError);
  expect(next).toHaveBeenCalledTimes(leaves ? 0 : 1);
});

test.each([
  ['before the caller is known', true],
  ['later', false],
])('a request whose client disconnects %s is no longer in progress', (_, isEarly) => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const release = vi.fn();
  const close = () => {
    response.destroy();
    response.emit('close');
  };
  if (isEarly) close();
  leaseUntilClosed(
    { hold: () => {}, pause: () => () => {}, charge: () => {}, release },
    response as unknown as Response,
  );
  if (!isEarly) {
    expect(release).not.toHaveBeenCalled();
    close();
  }
  expect(release).toHaveBeenCalledTimes(1);
});
