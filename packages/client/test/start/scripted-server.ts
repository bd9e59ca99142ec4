// A server that plays what networks and gateways do: it follows a script, one step per request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type ScriptedAnswer = {
  status?: number;
  headers?: Record<string, string>;
  /** JSON, or text as it is. */
  body?: unknown;
};

/** `drop` closes the connection without a word, `cut` in the middle of the answer, `hang` never answers. */
export type Step =
  | ScriptedAnswer
  | 'drop'
  | 'cut'
  | 'hang'
  | ((request: ReceivedRequest) => ScriptedAnswer);

export type ReceivedRequest = {
  method: string;
  /** As it was sent, encoded. */
  target: string;
  headers: IncomingMessage['headers'];
  body: string;
};

export type ScriptedServer = {
  baseUrl: string;
  received: ReceivedRequest[];
  close(): void;
};

/** The last step is repeated for every further request. */
export const startScriptedServer = async (
  ...script: [Step, ...Step[]]
): Promise<ScriptedServer> => {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = {
      method: incoming.method ?? '',
      target: incoming.url ?? '',
      headers: incoming.headers,
      body: await text(incoming),
    };
    received.push(request);
    play(script[received.length - 1] ?? script.at(-1) ?? 'drop', request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${port}`, received, close };
};

const play = (step: Step, request: ReceivedRequest, response: ServerResponse): void => {
  if (step === 'hang') return;
  if (step === 'drop') response.destroy();
  else if (step === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"half":', () => response.destroy());
  } else answer(typeof step === 'function' ? step(request) : step, response);
};

/** A minimal body of a 200 response for joins and histories alike. */
const EMPTY = { teams: [], transactions: [], page_meta: {} };

const answer = (
  { status = 200, headers, body = EMPTY }: ScriptedAnswer,
  to: ServerResponse,
): void => {
  to.writeHead(status, { 'content-type': 'application/json', ...headers });
  to.end(typeof body === 'string' ? body : JSON.stringify(body));
};

/** A refusal as the service words it. */
export const refusal = (
  status: number,
  error_code: string,
  more: { auth_success?: boolean; headers?: Record<string, string> } = {},
): ScriptedAnswer => {
  const { headers = {}, ...body } = more;
  return { status, headers, body: { ...body, error_code, desc: 'A sentence.' } };
};
