import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { initTRPC } from '@trpc/server';
import type { NextFunction, Request, Response } from 'express';
import express from 'express';
import { afterEach, expect, test, vi } from 'vitest';
import { openSlowClient } from '../../../test/raw-client.ts';
import type { AdminContext } from '../../admin/index.ts';
import type { Caller } from '../../auth/index.ts';
import type { Logger } from '../../platform/index.ts';
import { TIMES } from '../limits.ts';
import { createTestProtection } from '../testing/test-protection.ts';
import { mountAdmin } from './admin-mount.ts';

afterEach(() => void vi.restoreAllMocks());

test('a call whose client leaves while its caller is identified again is not begun', async () => {
  const begun: string[] = [];
  const refused: string[] = [];
  const { router, procedure } = initTRPC.context<AdminContext>().create();
  const app = express();
  let answer: Response | undefined;
  app.use((_request: Request, response: Response, next: NextFunction) => {
    answer = response;
    next();
  });
  const identified = Promise.withResolvers<void>();
  let count = 0;
  const identifyAdmin = async (): Promise<Caller> => {
    count += 1;
    if (count > 1 && answer) {
      client.destroy();
      await once(answer, 'close');
    }
    identified.resolve();
    return { accountId: 'a', permissions: ['*'] };
  };
  mountAdmin(app, {
    router: router({ write: procedure.mutation(() => begun.push('write')) }),
    identifyAdmin,
    publicUrl: undefined,
    isOutage: () => false,
    refuseChanges: () => {},
    logger: {} as Logger,
    protection: createTestProtection(),
  });
  app.use((error: Error, _request: Request, _response: Response, _next: NextFunction) => {
    refused.push(error.name);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = await openSlowClient(`http://127.0.0.1:${port}`);

  const head = 'POST /admin/trpc/write HTTP/1.1\r\nHost: a\r\nContent-Type: application/json';
  client.send(`${head}\r\nContent-Length: 2\r\n\r\n{`);
  await identified.promise;
  // The time of the identification is taken in the same round of the event loop.
  await new Promise(setImmediate);
  const later = performance.now() + TIMES.slowBody + 1;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
  client.send('}');
  await expect.poll(() => [...refused, ...begun]).not.toEqual([]);
  expect({ refused, begun }).toEqual({ refused: ['RequestAbortedError'], begun: [] });
  server.close();
});
