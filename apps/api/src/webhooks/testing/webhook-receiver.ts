// A receiver of webhooks on this machine, which verifies what it gets.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

export type ReceivedEvent = {
  event_id: string;
  kind: string;
  session_id?: string;
  session_version?: number;
  webhook_id?: string;
  detail?: Record<string, unknown>;
};
export type Received = { id: string; events: ReceivedEvent[] };

/** A status, or null for no response. */
export type Respond = (received: Received) => number | null;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export const startReceiver = async () => {
  /** Every request, with the status that it got. */
  const requests: (Received & { status: number | null })[] = [];
  let respond: Respond = () => 204;
  let delayMs = () => 0;
  let secret = '';
  const hasSecret = Promise.withResolvers<void>();
  let open = 0;
  let mostOpen = 0;
  const server = createServer(async (request, response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on('close', () => {
      open -= 1;
    });
    const body = await text(request).catch(() => null);
    // The sender has ended.
    if (body === null) return;
    // The first delivery can arrive before the test has read the secret.
    await hasSecret.promise;
    const headers = request.headers as Record<string, string>;
    const message = new Webhook(secret).verify(body, headers) as {
      data: { events: ReceivedEvent[] };
    };
    const received = { id: headers['webhook-id'] ?? '', events: message.data.events };
    const status = respond(received);
    requests.push({ ...received, status });
    await delay(delayMs());
    if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    use: (next: string) => {
      secret = next;
      hasSecret.resolve();
    },
    respond: (next: Respond) => {
      respond = next;
    },
    /** How long each response takes, in milliseconds. */
    delayBy: (next: () => number) => {
      delayMs = next;
    },
    mostOpen: () => mostOpen,
    /** The events of accepted requests, each id once, as a receiver would process them. */
    accepted: (): ReceivedEvent[] => {
      const seen = new Set<string>();
      return requests
        .filter(({ id, status }) => {
          const isNew = status !== null && status < 300 && !seen.has(id);
          if (isNew) seen.add(id);
          return isNew;
        })
        .flatMap(({ events }) => events);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** The versions of one session that its accepted events have, in the order of arrival. */
export const versionsOf = (events: readonly ReceivedEvent[], sessionId: string): number[] =>
  events
    .filter(({ session_id }) => session_id === sessionId)
    .flatMap(({ session_version }) => session_version ?? []);
