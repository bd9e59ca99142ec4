// An HTTP server of the kit's own, on loopback.
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type LocalServer = { port: number; url: string; close: () => Promise<void> };

/** On a free port. Closing ends the connections that are open. */
export const startLocalServer = async (listener: RequestListener): Promise<LocalServer> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, url: `http://127.0.0.1:${port}`, close };
};
