// A tiny server that answers whatever a test needs, truth or lie.
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Target } from '../src/target/context.ts';
import { createTarget } from '../src/target/context.ts';

export type LocalServer = { baseUrl: URL; close: () => void };

export const startLocalServer = async (answer: RequestListener): Promise<LocalServer> => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: new URL(`http://127.0.0.1:${port}`), close };
};

export const SECRET = 'a secret that has more than thirty-two bytes';

export const targetOf = ({ baseUrl }: LocalServer): Promise<Target> =>
  createTarget({ baseUrl, secret: SECRET, historyAccess: 'authenticated' });

/** Answers every request with this status and body. */
export const always =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
