import { expect, it, onTestFinished } from 'vitest';
import { raceToJoin } from '../src/fixtures/joins.ts';
import { Context } from '../src/target/context.ts';
import { startLocalServer, targetOf } from './local-server.ts';

const SESSION = { platform: 'Steam', platformSessionId: 'abc' };
const PLAYER = '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a70';

it.each([
  ['service_overloaded', 2, 200],
  ['team_full', 1, 409],
])(
  'sends a racing join again only when the service is overloaded: %s',
  async (error_code, requests, status) => {
    let received = 0;
    const server = await startLocalServer((request, response) => {
      request.resume();
      received += 1;
      const headers = { 'content-type': 'application/json', 'retry-after': '0' };
      response.writeHead(received === 1 ? 409 : 200, headers);
      response.end(JSON.stringify({ error_code }));
    });
    onTestFinished(server.close);
    const context = new Context(await targetOf(server), AbortSignal.timeout(20_000));
    const answer = await raceToJoin(context, SESSION, PLAYER);
    expect([received, answer.status]).toEqual([requests, status]);
  },
);
