// Speaks to the service below HTTP, for what no HTTP client can be made to send.
import net from 'node:net';
import { SkippedCase } from '../case.ts';
import type { Answer } from './exchange.ts';
import { parseJson } from './exchange.ts';

/** Writes the bytes on a connection of its own and reads until the service closes it. */
export const sendBytes = (baseUrl: URL, bytes: string, signal: AbortSignal): Promise<Answer> => {
  if (baseUrl.protocol !== 'http:') throw new SkippedCase('raw bytes are sent over http only');
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(baseUrl.port || 80), baseUrl.hostname);
    const chunks: Buffer[] = [];
    const abort = () => socket.destroy(new Error('The service did not answer and close in time'));
    signal.addEventListener('abort', abort, { once: true });
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) =>
      chunks.length > 0 ? finish() : reject(new Error(`No answer: ${error.message}`)),
    );
    socket.on('close', () => finish());
    const finish = () => {
      signal.removeEventListener('abort', abort);
      resolve(parseAnswer(bytes, Buffer.concat(chunks).toString('utf8')));
    };
  });
};

const parseAnswer = (bytes: string, received: string): Answer => {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const text = rest.join('\r\n\r\n');
  return {
    request: { method: 'RAW', path: ` ${JSON.stringify(bytes.slice(0, 200))}` },
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers: Object.fromEntries(lines.map(toHeader)),
    text,
    body: parseJson(text),
  };
};

const toHeader = (line: string): [string, string] => {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
};
