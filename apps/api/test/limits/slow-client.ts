// A client over a socket of its own that sends and reads as slowly as a test wants.
import { once } from 'node:events';
import { connect } from 'node:net';

export type SlowClient = {
  send(text: string): void;
  /** All that has come so far. */
  received(): string;
  /** Resolves when the server has ended the connection. */
  closed: Promise<unknown>;
  destroy(): void;
};

/** One that does not read holds what the network holds for it and nothing else. */
export const openSlowClient = async (baseUrl: string, reads = true): Promise<SlowClient> => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) });
  await once(socket, 'connect');
  let received = '';
  // A connection that is reset while it is written to is closed as well.
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  if (reads) {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
  }
  return {
    send: (text) => void socket.write(text),
    received: () => received,
    closed,
    destroy: () => socket.destroy(),
  };
};
