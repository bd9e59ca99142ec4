// A gateway between backend and service: for each procedure one response is lost, and then the next request is not forwarded.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FaultyGateway = {
  baseUrl: string;
  /** By path, how many requests came. */
  requests: ReadonlyMap<string, number>;
  stop: () => void;
};

export const startFaultyGateway = async (target: string): Promise<FaultyGateway> => {
  const requests = new Map<string, number>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '', method = 'GET', headers } = request;
    const count = (requests.get(url) ?? 0) + 1;
    requests.set(url, count);
    const body = Buffer.concat(await Array.fromAsync<Buffer>(request));
    if (count === 2) {
      response.writeHead(502, { 'retry-after': '1' }).end('<html>Bad Gateway</html>');
      return;
    }
    const { authorization = '', 'content-type': type = '' } = headers;
    const forwarded = await fetch(target + url, {
      method,
      headers: { authorization, 'content-type': type },
      body,
    });
    const text = await forwarded.text();
    if (count === 1) request.socket.destroy();
    else response.writeHead(forwarded.status, { 'content-type': 'application/json' }).end(text);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error) => response.destroy(error));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
