import type { Server } from 'node:http';

/** How long requests that were accepted may take to finish. */
const GRACE_MS = 8_000;
const SWEEP_MS = 50;

/** Stops accepting, lets accepted requests finish, then ends every connection. */
export const stopServer = async (server: Server, graceMs: number = GRACE_MS): Promise<void> => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // A connection that was busy when the server closed becomes idle later and would be kept alive.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
};
