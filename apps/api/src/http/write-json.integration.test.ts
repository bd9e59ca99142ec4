import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import { bodyFromJson } from '../flow/index.ts';
import { writeJson } from './app.ts';

/** The answers to `count` requests that a service answers with `body`. */
const answerWith = async (body: unknown, count: number): Promise<Response[]> => {
  const app = express();
  app.response.json = writeJson;
  app.get('/', (_request, response) => {
    response.json(body);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = () => fetch(`http://127.0.0.1:${port}/`);
  const answers = await Promise.all(Array.from({ length: count }, ask));
  server.close();
  return answers;
};

it('writes a frozen body once for all who are answered with it', async () => {
  let writes = 0;
  const body = Object.freeze({
    name: 'Ærø',
    toJSON: () => {
      writes += 1;
      return { name: 'Ærø' };
    },
  });
  for (const answer of await answerWith(body, 5)) {
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({ name: 'Ærø' });
  }
  expect(writes).toBe(1);
});

it('writes one that may change each time', async () => {
  const counts = { asked: 0, toJSON: () => ({ asked: ++counts.asked }) };
  const answers = await answerWith(counts, 3);
  const bodies = await Promise.all(answers.map((answer) => answer.json()));
  expect(bodies).toContainEqual({ asked: 3 });
});

it('sends one that is JSON already as it stands', async () => {
  const json = '{"transactions":[{"version":{"name":"Ærø","1":2e0}}]}';
  const [answer] = await answerWith(
    bodyFromJson<{ transactions: unknown }>(json, ['transactions']),
    1,
  );
  expect(answer?.headers.get('content-length')).toBe(`${Buffer.byteLength(json)}`);
  expect(await answer?.text()).toBe(json);
});
