// One keep-alive connection that has at most one request under way.
import type { Socket } from 'node:net';
import { connect } from 'node:net';

export type Connection = {
  /** `onAnswer` is called once, when the answer is complete. */
  send(request: Buffer): void;
  close(): void;
};

type ConnectionEvents = {
  onAnswer: (answer: Answer) => void;
  /** The connection broke or sent something that is no answer. */
  onFailure: (error: Error) => void;
};

/** Every read of every connection uses it again: what is not complete has been copied when the next one begins. */
const READ_BUFFER = Buffer.allocUnsafe(65_536);

/** Resolves when connected. */
export const openConnection = (port: number, events: ConnectionEvents): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const reader = new AnswerReader();
    let closing = false;
    const callback = (length: number): boolean => {
      receive(reader, READ_BUFFER.subarray(0, length), events);
      return true;
    };
    const socket: Socket = connect({
      port,
      host: '127.0.0.1',
      onread: { buffer: READ_BUFFER, callback },
    });
    socket.setNoDelay(true);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.on('error', events.onFailure);
      socket.on('close', () => {
        if (!closing) events.onFailure(new Error('The server closed a connection.'));
      });
      resolve({
        send: (request) => void socket.write(request),
        close: () => {
          closing = true;
          socket.destroy();
        },
      });
    });
  });

const receive = (reader: AnswerReader, bytes: Buffer, events: ConnectionEvents): void => {
  try {
    const answer = reader.read(bytes);
    if (answer) events.onAnswer(answer);
  } catch (error) {
    events.onFailure(error instanceof Error ? error : new Error(String(error)));
  }
};

// Reads HTTP/1.1 answers from a connection that has one request under way: as little work per answer as is safe.
export type Answer = {
  status: number;
  hasRetryAfter: boolean;
  /** Head and body. */
  bytes: number;
};

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('\r\nContent-Length: ');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const DIGIT_0 = 48;

/** The bytes are not an HTTP/1.1 response, or its length is unknown. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
}

/** Gathers the bytes of one answer at a time. Answers null until the answer is complete. */
export class AnswerReader {
  #pending: Buffer | null = null;

  /** `chunk` may be overwritten after the call. */
  read(chunk: Buffer): Answer | null {
    const bytes = this.#pending ? Buffer.concat([this.#pending, chunk]) : chunk;
    const answer = readAnswer(bytes);
    this.#pending = answer ? null : Buffer.from(bytes);
    return answer;
  }
}

const readAnswer = (bytes: Buffer): Answer | null => {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0 || !isComplete(bytes, headEnd)) return null;
  const status = readNumber(bytes, 9);
  const hasRetryAfter = status === 409 && hasHeader(bytes, headEnd, 'retry-after');
  return { status, hasRetryAfter, bytes: bytes.length };
};

const isComplete = (bytes: Buffer, headEnd: number): boolean => {
  const bodyStart = headEnd + HEAD_END.length;
  const length = findLength(bytes, headEnd);
  if (length !== null) return bytes.length >= bodyStart + length;
  if (!hasHeader(bytes, headEnd, 'transfer-encoding')) {
    throw new UnreadableAnswerError(bytes.toString('latin1', 0, Math.min(headEnd, 200)));
  }
  return bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
};

/** The usual spelling is found without decoding the head. */
const findLength = (bytes: Buffer, headEnd: number): number | null => {
  const at = bytes.indexOf(LENGTH);
  if (at >= 0 && at < headEnd) return readNumber(bytes, at + LENGTH.length);
  const found = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, headEnd));
  return found ? Number(found[1]) : null;
};

const hasHeader = (bytes: Buffer, headEnd: number, name: string): boolean =>
  bytes.toString('latin1', 0, headEnd).toLowerCase().includes(`\r\n${name}:`);

const readNumber = (bytes: Buffer, start: number): number => {
  let value = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const digit = (bytes[at] ?? 0) - DIGIT_0;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return value;
};
