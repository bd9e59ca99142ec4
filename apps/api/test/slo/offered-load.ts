// Requests at a fixed rate, whether or not the service keeps up: many clients who each ask when they want to.
import type { AttackClient } from './behaviours.ts';
import type { RawConnection } from './raw-connection.ts';

type OfferedLoad = {
  /** Milliseconds from when each request that was answered 200 was due until its response. */
  servedMs: readonly number[];
  /** Requests that were due while every connection waited for a response. */
  countNotSent(): number;
};

type OfferingClient = { client: AttackClient; connection: RawConnection; dueAtMs: number };

const RECONNECT_MS = 50;

export const offerLoad = (clients: readonly AttackClient[], perSecond: number): OfferedLoad => {
  // In the order in which they became free, so that requests go round all clients.
  const free = new Set<OfferingClient>();
  const servedMs: number[] = [];
  const startedAtMs = performance.now();
  let taken = 0;
  let notSent = 0;

  const open = (client: AttackClient): void => {
    if (client.isOver()) return;
    const connection = client.connect({
      onOpen: () => free.add(entry),
      onResponse: ({ status }) => {
        if (status === 200) servedMs.push(performance.now() - entry.dueAtMs);
        free.add(entry);
      },
      onClose: () => {
        free.delete(entry);
        client.later(RECONNECT_MS, () => open(client));
      },
    });
    const entry: OfferingClient = { client, connection, dueAtMs: 0 };
  };

  const sendDue = (): void => {
    if (clients[0]?.isOver()) return;
    const due = Math.floor(((performance.now() - startedAtMs) / 1_000) * perSecond);
    for (; taken < due; taken += 1) {
      const [entry] = free;
      if (entry) {
        free.delete(entry);
        entry.dueAtMs = startedAtMs + (taken / perSecond) * 1_000;
        entry.client.countRequest();
        entry.connection.write(entry.client.nextRequest());
      } else {
        notSent += 1;
      }
    }
    setTimeout(sendDue, 1);
  };

  for (const client of clients) open(client);
  sendDue();
  return { servedMs, countNotSent: () => notSent };
};
