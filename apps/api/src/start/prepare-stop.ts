import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { PassingList } from '../passing/index.ts';

/** How long requests that were accepted may take to finish. */
const GRACE_MS = 7_000;
const SWEEP_MS = 50;

/**
 * For how long clients that are connected may go on asking: each answer tells them that it is the last one on its connection.
 * One that is closed while it looks idle may be carrying a request already, which would be lost.
 */
const LEAVE_MS = 1_000;
/** For how long a connection that has just been opened may bring its first request. */
const SILENCE_MS = 500;

/**
 * Call it before the server listens. What it answers lets connected clients leave, stops accepting, lets accepted
 * requests finish, and ends every connection after `graceMs` at the latest.
 */
export const prepareStop = (server: Server, graceMs: number = GRACE_MS): (() => Promise<void>) => {
  const sockets = new PassingList<Socket>();
  server.on('connection', (socket) => {
    const place = sockets.add(socket);
    socket.once('close', () => sockets.remove(place));
  });
  return () => stopServer(server, sockets, graceMs);
};

const stopServer = async (
  server: Server,
  sockets: Iterable<Socket>,
  graceMs: number,
): Promise<void> => {
  const askedAt = performance.now();
  const leaveBy = askedAt + Math.min(LEAVE_MS, graceMs);
  while (hasClients(sockets) && performance.now() < leaveBy) await delay(SWEEP_MS);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // Browsers open connections ahead of need; for the server they are busy until their first request, which may be on its way.
  const silence = setTimeout(() => destroySilent(sockets), Math.min(SILENCE_MS, graceMs));
  // A connection that was busy when the server closed becomes idle later and would be kept alive.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const deadline = setTimeout(
    () => server.closeAllConnections(),
    Math.max(0, askedAt + graceMs - performance.now()),
  );
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  clearTimeout(silence);
};

const hasClients = (sockets: Iterable<Socket>): boolean =>
  [...sockets].some(({ bytesRead }) => bytesRead > 0);

const destroySilent = (sockets: Iterable<Socket>): void => {
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
};
