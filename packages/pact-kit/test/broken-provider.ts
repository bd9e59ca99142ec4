// A service that is broken in one way: a proxy in front of the real one that spoils the answers of the public endpoints.
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startLocalServer } from '../src/local-server.ts';
import { forwardRequest, omit } from '../src/verify/interaction-proxy.ts';

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** Null closes the connection without an answer. */
export type Break = (answer: Answer) => Answer | null;

type BrokenProvider = { url: string; secret: string; close: () => Promise<void> };

export const startBrokenProvider = async (
  { url, secret }: { url: string; secret: string },
  spoil: Break,
): Promise<BrokenProvider> => {
  const server = await startLocalServer(async (request, response) => {
    const { method = 'GET', url: target = '/', headers } = request;
    const body = await buffer(request);
    const answer = await forwardRequest(url, { method, target, headers, body });
    const whole = { ...answer, body: answer.body.toString('utf8') };
    const spoilt = /^\/(?:v1|session)\//.test(target) && isOurs(headers) ? spoil(whole) : whole;
    if (!spoilt) return response.destroy();
    response.writeHead(
      spoilt.status,
      omit(spoilt.headers, ['connection', 'keep-alive', 'transfer-encoding', 'content-length']),
    );
    return response.end(spoilt.body);
  });
  return { url: server.url, secret, close: server.close };
};

/** The kit seats players through the same endpoint; its own requests stay whole, so that states can be applied. */
const isOurs = ({ authorization = '' }: IncomingHttpHeaders): boolean => {
  const claims = Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString('utf8');
  return !claims.includes('"sub":"pact-kit"') || !claims.includes('["*"]');
};
