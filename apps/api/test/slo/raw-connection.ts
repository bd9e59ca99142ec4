// A connection of an attacker: bytes as they are, as many requests at a time as the attacker likes, and responses as statuses only.
import type { OnReadOpts, Socket } from 'node:net';
import { connect } from 'node:net';
import type { RawResponse } from './response-reader.ts';
import { ResponseReader } from './response-reader.ts';

export type ConnectionEvents = {
  onOpen: () => void;
  onResponse: (response: RawResponse) => void;
  /** Called once; `error` is the code of an error, such as ECONNRESET. */
  onClose: (error: string | undefined) => void;
};

export type RawConnection = {
  write(bytes: string | Buffer): void;
  /** Ends the connection at once; with a reset where `resets` is true. */
  destroy(resets?: boolean): void;
};

/** Where to, and the local address of the client. */
type Target = { port: number; address: string };

/** All connections read into it: what is not complete is copied before the next read. */
const READ_BUFFER = Buffer.allocUnsafe(65_536);

export const openConnection = (target: Target, events: ConnectionEvents): RawConnection => {
  const reader = new ResponseReader(events.onResponse);
  const callback = (length: number): boolean => {
    reader.read(READ_BUFFER.subarray(0, length));
    return true;
  };
  return open({ ...target, onread: { buffer: READ_BUFFER, callback } }, events);
};

export type UnreadConnection = RawConnection & {
  /** Takes at most this many bytes of what has arrived. */
  read(bytes: number): void;
};

/** Of a client that reads nothing by itself. */
export const openUnreadConnection = (
  target: Target,
  events: ConnectionEvents,
): UnreadConnection => {
  const reader = new ResponseReader(events.onResponse);
  const connection = open(target, events);
  const { socket } = connection;
  socket.pause();
  return {
    ...connection,
    read: (bytes) => {
      // Without any length, Node.js gives all that has arrived; with one beyond that, nothing.
      const chunk: Buffer | null = socket.read(Math.min(bytes, socket.readableLength || 1));
      if (chunk) reader.read(chunk);
    },
  };
};

const open = (
  { address, ...options }: Target & { onread?: OnReadOpts },
  { onOpen, onClose }: ConnectionEvents,
): RawConnection & { socket: Socket } => {
  const socket = connect({ host: '127.0.0.1', localAddress: address, ...options });
  let code: string | undefined;
  socket.setNoDelay(true);
  socket.on('connect', onOpen);
  socket.on('error', (error: NodeJS.ErrnoException) => {
    code = error.code ?? error.message;
  });
  socket.on('end', () => socket.destroy());
  socket.on('close', () => onClose(code));
  return {
    socket,
    write: (bytes) => void socket.write(bytes, 'latin1'),
    destroy: (resets = false) => void (resets ? socket.resetAndDestroy() : socket.destroy()),
  };
};
