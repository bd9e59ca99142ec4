// One keep-alive connection that has at most one request under way.
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Answer } from './answer-reader.ts';
import { AnswerReader } from './answer-reader.ts';

export type Connection = {
  /** `onAnswer` is called once, when the answer is complete. */
  send(request: Buffer): void;
  close(): void;
};

export type ConnectionEvents = {
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
