import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from './start-error.ts';

/** Connections that wait to be accepted: a moment's worth of a flood. The system may allow fewer (`net.core.somaxconn`). */
const BACKLOG = 4_096;

/** Resolves with the port, which the system chooses for port 0. Throws StartError where it cannot listen. */
export const listen = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new StartError(explain(error, host, port), { cause: error }));
    });
    server.listen({ port, host, backlog: BACKLOG }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });

const explain = ({ code, message }: NodeJS.ErrnoException, host: string, port: number): string => {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another program: stop it, or choose another PORT.`;
    case 'EACCES':
      return `This user may not listen on port ${port}: choose a PORT from 1024 on.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is no address of this machine.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${message}.`;
  }
};
