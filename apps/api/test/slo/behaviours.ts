// How the connections of an attack behave. Each function opens one connection, and opens it again whenever it closes.
import type { ConnectionEvents, RawConnection, UnreadConnection } from './raw-connection.ts';

/** One connection's view of the attack that it belongs to. */
export type AttackClient = {
  /** Number of this connection, from 0. */
  index: number;
  isOver(): boolean;
  /** The next request of this client. */
  nextRequest(): string | Buffer;
  countRequest(): void;
  /** Opens a connection that is counted, and destroyed at the end of the attack. */
  connect(events: Partial<ConnectionEvents>): RawConnection;
  /** The same, for a client that reads only what it asks for. */
  connectUnread(events: Partial<ConnectionEvents>): UnreadConnection;
  later(milliseconds: number, action: () => void): void;
};

export type Behaviour = (client: AttackClient) => void;

/** After a connection that could not be opened. */
const REFUSED_PAUSE_MS = 50;

/** Calls `open` until the attack is over: at once, or after a pause where there was no connection. */
const keepOpen = (
  client: AttackClient,
  open: (onClose: ConnectionEvents['onClose']) => void,
  pauseMs = 0,
): void => {
  const start = (): void => {
    if (client.isOver()) return;
    open((error) => {
      const isRefused = error === 'ECONNREFUSED' || error === 'EADDRNOTAVAIL';
      client.later(isRefused ? REFUSED_PAUSE_MS : pauseMs, start);
    });
  };
  start();
};

/** Sends the next request as soon as the response to the one before has arrived. */
export const sendWithoutPause: Behaviour = (client) => {
  keepOpen(client, (onClose) => {
    const send = () => {
      if (client.isOver()) return;
      client.countRequest();
      connection.write(client.nextRequest());
    };
    const connection = client.connect({ onOpen: send, onResponse: send, onClose });
  });
};

/** Requests of a connection that are sent without waiting for their responses. */
const PIPELINE_DEPTH = 64;

/** Keeps many requests on the way: refills when half of them are answered. */
export const pipeline: Behaviour = (client) => {
  keepOpen(client, (onClose) => {
    let outstanding = 0;
    const fill = () => {
      const requests: (string | Buffer)[] = [];
      for (; outstanding < PIPELINE_DEPTH; outstanding += 1) {
        client.countRequest();
        requests.push(client.nextRequest());
      }
      connection.write(requests.join(''));
    };
    const connection = client.connect({
      onOpen: fill,
      onResponse: () => {
        outstanding -= 1;
        if (outstanding <= PIPELINE_DEPTH / 2 && !client.isOver()) fill();
      },
      onClose,
    });
  });
};

/**
 * How long after its request a client disconnects, in milliseconds: while the request is read, while it waits and while it is worked on.
 * Over a network a connection lasts at least one round trip.
 */
const DISCONNECT_AFTER_MS = [10, 20, 40, 80];

/** Sends one request and disconnects before the response, with and without a reset. */
export const disconnect: Behaviour = (client) => {
  let count = client.index;
  keepOpen(client, (onClose) => {
    const connection = client.connect({
      onOpen: () => {
        count += 1;
        client.countRequest();
        connection.write(client.nextRequest());
        const afterMs = DISCONNECT_AFTER_MS[count % DISCONNECT_AFTER_MS.length] ?? 0;
        client.later(afterMs, () => connection.destroy(count % 2 === 0));
      },
      onClose,
    });
  });
};

const DRIBBLE_MS = 200;
/** A slow client reconnects or asks again after this time: it is slow, not a flood. */
const SLOW_RETRY_MS = 1_000;

/** Sends the head and the first byte of the body, then one byte after each pause; every other connection in chunks. */
export const sendBodySlowly: Behaviour = (client) => {
  const isChunked = client.index % 2 === 1;
  keepOpen(
    client,
    (onClose) => {
      const [head = '', body = ''] = String(client.nextRequest()).split('\r\n\r\n', 2);
      let sent = 0;
      const sendByte = () => {
        if (client.isOver() || sent >= body.length) return;
        const byte = body.charAt(sent);
        sent += 1;
        connection.write(isChunked ? `1\r\n${byte}\r\n` : byte);
        client.later(DRIBBLE_MS, sendByte);
      };
      const connection = client.connect({
        onOpen: () => {
          client.countRequest();
          const lines = isChunked
            ? head.replace(/\r\ncontent-length: \d+/i, '\r\nTransfer-Encoding: chunked')
            : head;
          connection.write(`${lines}\r\n\r\n`);
          sendByte();
        },
        onResponse: () => connection.destroy(),
        onClose: (error) => {
          sent = body.length;
          onClose(error);
        },
      });
    },
    SLOW_RETRY_MS,
  );
};

/** Responses that a slow reader asks for at once, so that the buffers of the network cannot hold them. */
const UNREAD_RESPONSES = 4;
const READ_BYTES = 4_096;
const READ_EVERY_MS = 250;

/** Asks for some large responses and reads a few kilobytes after each pause; asks again for what is complete or rejected. */
export const readSlowly: Behaviour = (client) => {
  keepOpen(
    client,
    (onClose) => {
      let isOpen = true;
      const send = () => {
        if (client.isOver() || !isOpen) return;
        client.countRequest();
        connection.write(client.nextRequest());
      };
      const read = () => {
        if (client.isOver() || !isOpen) return;
        connection.read(READ_BYTES);
        client.later(READ_EVERY_MS, read);
      };
      const connection = client.connectUnread({
        onOpen: () => {
          for (let count = 0; count < UNREAD_RESPONSES; count += 1) send();
          read();
        },
        onResponse: () => client.later(SLOW_RETRY_MS, send),
        onClose: (error) => {
          isOpen = false;
          onClose(error);
        },
      });
    },
    SLOW_RETRY_MS,
  );
};

/** Every other connection sends one request and then nothing; the rest send nothing at all. */
export const idle: Behaviour = (client) => {
  keepOpen(
    client,
    (onClose) => {
      const connection = client.connect({
        onOpen: () => {
          if (client.index % 2 === 1) return;
          client.countRequest();
          connection.write(client.nextRequest());
        },
        onClose,
      });
    },
    SLOW_RETRY_MS,
  );
};
