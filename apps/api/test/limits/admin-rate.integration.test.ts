import { expect, test } from 'vitest';
import { COSTS, TIMES } from '../../src/http/limits.ts';
import { openSlowClient } from '../raw-client.ts';
import { startRateLimitedService } from './rate-limited-service.ts';

const CALLS = 4;

const limited = startRateLimitedService({
  playerRateLimit: { perSecond: 1, burst: CALLS * COSTS.adminCall },
});

const asPlayer = (sub: string) =>
  limited.service.headers({ sub, permissions: ['session:update-player:self'] });

const ask = async (path: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(`${limited.service.baseUrl}/admin/trpc/${path}`, { headers })).status;

test.each([
  ['commas', ','],
  ['encoded commas', '%2C'],
])('a batch of a player costs as much as its calls, with %s', async (name, comma) => {
  const headers = await asPlayer(`batch with ${name}`);
  const batch = `${Array(CALLS).fill('me.get').join(comma)}?batch=1`;
  expect(await ask(batch, headers)).toBe(200);
  expect(await ask('me.get', headers)).toBe(429);
});

test('a body that arrives slowly does not pass the rate of a player', async () => {
  const headers = await asPlayer('slow');
  const batch = `${Array(CALLS).fill('me.get').join(',')}?batch=1`;
  expect(await ask(batch, headers)).toBe(200);
  const client = await openSlowClient(limited.service.baseUrl);
  const head = [
    'POST /admin/trpc/me.rename HTTP/1.1',
    'Host: a',
    `Authorization: ${headers.authorization}`,
    'Content-Type: application/json',
    'Content-Length: 2',
    'Connection: close',
  ];
  client.send(`${head.join('\r\n')}\r\n\r\n{`);
  // The service has the head when it answers a later request.
  await ask('me.get', await asPlayer('another'));
  limited.moveClock(TIMES.slowBody + 1);
  client.send('}');
  await client.closed;
  expect(client.received()).toContain('HTTP/1.1 429');
});
