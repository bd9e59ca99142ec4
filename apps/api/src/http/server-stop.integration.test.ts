import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { loadConfig } from '../platform/index.ts';
import { createHttpServer } from './server.ts';

const MIB = 1_048_576;

test('a stop lets a client read a response that has been written, and ends an idle connection', async () => {
  const app = express();
  app.get('/large', (_request, response) => void response.end(Buffer.alloc(32 * MIB)));
  app.get('/small', (_request, response) => void response.end('ok'));
  const server = createHttpServer(app, { limits: loadConfig({}).limits, graceMs: 30_000 });
  const port = await server.listen('127.0.0.1', 0);
  const open = async (path: string) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  };
  const [large, small] = await Promise.all([open('/large'), open('/small')]);
  const ended = once(small.resume(), 'close');
  const stopping = server.stop();
  const isAccepting = async () => {
    const socket = connect({ host: '127.0.0.1', port });
    const accepted = once(socket, 'connect').then(
      () => true,
      () => false,
    );
    return accepted.finally(() => socket.destroy());
  };
  await expect.poll(isAccepting, { timeout: 10_000 }).toBe(false);
  let received = 0;
  large.on('data', ({ length }: Buffer) => {
    received += length;
  });
  await once(large, 'close');
  expect(received).toBeGreaterThan(32 * MIB);
  await Promise.all([ended, stopping]);
});
