// Raw requests over a socket: bytes that no HTTP client would send, at any pace.
import { once } from 'node:events';
import { connect } from 'node:net';

type RawAnswer = { status: number; headers: Headers; body: string; text: string };

/** Resolves with everything the server sent when it closes the connection, or after `until` matches. */
export const sendRaw = (
  baseUrl: string,
  bytes: string | Buffer,
  until: RegExp = /\r\n\r\n[\s\S]*}$/,
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) });
    let text = '';
    const finish = () => {
      socket.destroy();
      resolve(parse(text));
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (until.test(text)) finish();
    });
    socket.on('end', finish);
    socket.on('error', reject);
    socket.write(bytes);
  });

const parse = (text: string): RawAnswer => {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const fields = lines.map((line) => line.split(/: */, 2) as [string, string]);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Headers(fields),
    body: text.slice(end + 4),
    text,
  };
};

export type SlowClient = {
  send(text: string): void;
  /** All received data. */
  received(): string;
  /** Resolves when the server has ended the connection. */
  closed: Promise<unknown>;
  destroy(): void;
};

/** Without reading, only the buffers of the network hold data. */
export const openSlowClient = async (baseUrl: string, reads = true): Promise<SlowClient> => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) });
  await once(socket, 'connect');
  let received = '';
  // A connection that is reset during a write is closed as well.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
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
