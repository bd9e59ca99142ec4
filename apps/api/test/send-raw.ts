// Sends bytes over a socket of its own: for requests that no HTTP client would send.
import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: Headers; body: string; text: string };

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
