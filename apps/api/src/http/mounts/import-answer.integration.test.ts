// The response of an import lists up to 256 KiB of problems. The clock advances by one at each reading, so that a time slice is a fixed
// number of readings on any machine.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import express from 'express';
import { afterEach, expect, test, vi } from 'vitest';
import type { Caller } from '../../auth/index.ts';
import type { ImportService } from '../../catalogue/index.ts';
import { writeJson } from '../app.ts';
import { createTestProtection } from '../testing/test-protection.ts';
import { mountImport } from './transfer-mount.ts';

afterEach(() => void vi.restoreAllMocks());

const ANSWER = {
  head_seq: 0,
  plan_digest: 'a'.repeat(64),
  errors: Array.from({ length: 1_000 }, (_, row) => ({ row, msg: '𝄞'.repeat(200) })),
  error_count: 1_000,
};

/** The most characters of JSON that are written in one iteration of the event loop, while `work` runs. */
const measureIterations = async (work: () => Promise<unknown>): Promise<number> => {
  let [written, most] = [0, 0];
  const { stringify } = JSON;
  const spy = vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
    const text = stringify(value);
    written += text?.length ?? 0;
    most = Math.max(most, written);
    return text;
  });
  let next: NodeJS.Immediate;
  const turn = () => {
    written = 0;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  await work();
  clearImmediate(next);
  spy.mockRestore();
  return most;
};

test('the response of an import is written in pieces, and other requests run in between', async () => {
  const upload = { file: { drop: () => {} } };
  const imports = {
    read: async () => upload,
    plan: async () => ANSWER,
  } as unknown as ImportService;
  const app = express();
  app.response.json = writeJson;
  app.use((_request: Request, response: Response, next: NextFunction) => {
    response.locals.requestId = 'r';
    next();
  });
  const authenticateAdmin = async (): Promise<Caller> => ({ accountId: 'a', permissions: ['*'] });
  const protection = createTestProtection();
  mountImport(app, { imports, authenticateAdmin, protection, refuseChanges: () => {} });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/admin/import/0196b8a0-0000-7000-8000-00000000e891/item`;

  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
  let answer: Response | undefined | globalThis.Response;
  let text = '';
  const most = await measureIterations(async () => {
    answer = await fetch(url, { method: 'POST' });
    text = await answer.text();
  });
  server.close();
  expect(text === JSON.stringify(ANSWER)).toBe(true);
  expect((answer as globalThis.Response).headers.get('content-type')).toBe(
    'application/json; charset=utf-8',
  );
  // Of some 430,000. Ten problems are 4,300.
  expect(most).toBeLessThan(100_000);
});
