// A TCP link that can be slow and can be cut: between clients and service, or between service and database.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type FaultyLink = {
  port: number;
  /** Leads new connections to this port. Open connections are not changed. */
  pointTo(port: number): void;
  /** Delays all data in both directions by this time. */
  slowDown(latencyMs: number): void;
  /** Resets all connections (TCP RST), including data in transit. */
  cut(): void;
  /** Resets each connection after this many bytes of responses; undefined: never. */
  cutAnswersAfter(bytes: number | undefined): void;
  close(): Promise<void>;
};

export const openFaultyLink = async (initialTarget: number): Promise<FaultyLink> => {
  const sockets = new Set<Socket>();
  let target = initialTarget;
  let latencyMs = 0;
  let answerBytes: number | undefined;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.setNoDelay(true);
    return socket;
  };

  const carry = (from: Socket, to: Socket, mayPass: (chunk: Buffer) => boolean): void => {
    let last = Promise.resolve();
    from.on('data', (chunk) => {
      const arrived = latencyMs > 0 ? delay(latencyMs) : undefined;
      // In order, also while the latency changes.
      last = last.then(async () => {
        await arrived;
        if (mayPass(chunk)) to.write(chunk);
        else for (const end of [from, to]) end.resetAndDestroy();
      });
    });
    from.once('end', () => void last.then(() => to.end()));
    from.once('close', () => void last.then(() => to.destroy()));
  };

  const server = createServer((client) => {
    keep(client);
    const upstream = keep(connect(target, '127.0.0.1'));
    let passed = 0;
    carry(client, upstream, () => true);
    carry(upstream, client, (chunk) => {
      passed += chunk.length;
      return answerBytes === undefined || passed < answerBytes;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    slowDown: (ms) => {
      latencyMs = ms;
    },
    pointTo: (port) => {
      target = port;
    },
    cut,
    cutAnswersAfter: (bytes) => {
      answerBytes = bytes;
    },
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
};
