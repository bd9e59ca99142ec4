import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long requests that were accepted may take to finish. */
const GRACE_MS = 8_000;
const SWEEP_MS = 50;

/**
 * Call it before the server listens. What it answers stops accepting, lets accepted requests finish, and
 * ends every connection after `graceMs` at the latest.
 */
export const prepareStop = (server: Server, graceMs: number = GRACE_MS): (() => Promise<void>) => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => stopServer(server, sockets, graceMs);
};

const stopServer = async (server: Server, sockets: Set<Socket>, graceMs: number): Promise<void> => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // Browsers open connections ahead of need; for the server they are busy until their first request.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  // A connection that was busy when the server closed becomes idle later and would be kept alive.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
};
