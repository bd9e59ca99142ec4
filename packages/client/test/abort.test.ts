import { expect, test } from 'vitest';
import { createMusterClient } from '../src/index.ts';
import { JOIN, SANDBOX_ID } from './start/examples.ts';
import { refusal, startScriptedServer } from './start/scripted-server.ts';
import { startClient } from './start/start-client.ts';

const REASON = new Error('the player left the menu');

test('an aborted signal sends nothing', async () => {
  const { client, received } = await startClient([{}]);
  const signal = AbortSignal.abort(REASON);
  await expect(client.joinByPlatformSession(JOIN, { signal })).rejects.toBe(REASON);
  expect(received).toEqual([]);
});

test('aborting ends a request that is under way, and it is not sent again', async () => {
  const controller = new AbortController();
  const { client, received } = await startClient(['hang'], { retry: { budgetMs: 0 } });
  const joining = client.joinByPlatformSession(JOIN, { signal: controller.signal });
  await expect.poll(() => received).toHaveLength(1);
  controller.abort(REASON);
  await expect(joining).rejects.toBe(REASON);
  expect(received).toHaveLength(1);
});

test('aborting ends a wait between attempts at once', async () => {
  const controller = new AbortController();
  const server = await startScriptedServer(
    refusal(409, 'session_busy', { headers: { 'retry-after': '15' } }),
  );
  const client = createMusterClient({
    baseUrl: server.baseUrl,
    retry: { budgetMs: 60_000, onRetry: () => queueMicrotask(() => controller.abort(REASON)) },
  });
  const startedMs = performance.now();
  const joining = client.joinByPlatformSession(JOIN, { signal: controller.signal });
  await expect(joining).rejects.toBe(REASON);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(server.received).toHaveLength(1);
  server.close();
});

test('aborting does not wait for a token', async () => {
  const controller = new AbortController();
  const { client } = await startClient([{}], {
    token: () => {
      controller.abort(REASON);
      return new Promise<string>(() => {});
    },
  });
  const joining = client.joinByPlatformSession(JOIN, { signal: controller.signal });
  await expect(joining).rejects.toBe(REASON);
});

test('aborting stops a walk between two transactions of a page', async () => {
  const transactions = [{ version_id: '1' }, { version_id: '2' }];
  const { client } = await startClient([{ body: { transactions, page_meta: {} } }]);
  const controller = new AbortController();
  const seen: string[] = [];
  const walk = async () => {
    const request = { kind: 'item', sandbox_id: SANDBOX_ID } as const;
    for await (const { version_id } of client.walkHistory(request, controller)) {
      seen.push(version_id);
      controller.abort(REASON);
    }
  };
  await expect(walk()).rejects.toBe(REASON);
  expect(seen).toEqual(['1']);
});
