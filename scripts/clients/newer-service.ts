// The service as a later version might be: an answer names a value of an enumeration that no document has. A client that
// throws at it would break for every player who has not updated.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

type NewerService = { baseUrl: string; stop(): Promise<void> };

/** An answer of the public API, and one of the admin API. */
const UNKNOWN_VALUES = [
  ['"input":"gamepad"', '"input":"eyetracker"'],
  ['"version_match":"patch"', '"version_match":"calendar"'],
] as const;

/** Starts a proxy on 127.0.0.1 for the service at `target`. */
export const startNewerService = async (target: string): Promise<NewerService> => {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const onAnswer = (answer: IncomingMessage) => pass(answer, response);
    const sent = sendRequest({ hostname, port, method, path, headers }, onAnswer);
    sent.once('error', () => response.destroy());
    request.pipe(sent);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port: own } = server.address() as AddressInfo;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { baseUrl: `http://127.0.0.1:${own}`, stop };
};

const pass = async (answer: IncomingMessage, response: ServerResponse): Promise<void> => {
  let body = await readText(answer);
  for (const [known, unknown] of UNKNOWN_VALUES) body = body.replaceAll(known, unknown);
  // The names of headers keep the case that the service writes them in.
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(index, index + 2);
    if (!/^(?:content-length|transfer-encoding|connection|keep-alive)$/i.test(name)) {
      response.appendHeader(name, value);
    }
  }
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.writeHead(answer.statusCode ?? 502).end(body);
};
