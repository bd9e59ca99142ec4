// The HTTP server around the application: limits, deadlines, answers to broken HTTP, and a stop that loses no request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Express } from 'express';
import { LinkedList } from '../flow/index.ts';
import { ServiceError, StartError } from '../platform/index.ts';
import type { OnUnreadable } from './client-errors.ts';
import { answerClientError, answerConnect, answerIncomplete } from './client-errors.ts';
import type { ShareAcrossOrigins } from './cors.ts';
import { LIMITS, PIECES, TIMES } from './limits.ts';
import { kindOfRequest } from './load-shedding.ts';
import { IMPORT_PATH } from './mounts/transfer-mount.ts';
import type { Protection, ProtectionLimits } from './protection.ts';
import { hasUnknownEnd, normalizeTarget } from './request.ts';

export type HttpServerOptions = {
  limits: Pick<ProtectionLimits, 'maxConnections' | 'requestTimeoutMs' | 'transferTimeoutMs'>;
  /** Absent: every request is admitted, as on the port of the metrics. */
  protection?: Pick<Protection, 'shedder' | 'starts' | 'budget' | 'overload'>;
  /** Absent: no page of another origin may call the service. */
  shareAcrossOrigins?: ShareAcrossOrigins;
  /** Absent: what cannot be read is answered and not logged. */
  onUnreadable?: OnUnreadable;
  /** How long accepted requests may take to finish after the stop. */
  graceMs?: number;
};

export type HttpServer = {
  /** Resolves with the port, which the system chooses for port 0. Throws StartError, which names the setting, where it cannot listen. */
  listen(host: string, port: number, setting?: PortSetting): Promise<number>;
  /** Lets connected clients leave, stops accepting, lets accepted requests finish, and ends every connection in time. */
  stop(): Promise<void>;
};

export type PortSetting = 'PORT' | 'METRICS_PORT';

export const createHttpServer = (app: Express, options: HttpServerOptions): HttpServer => {
  const { limits, protection, shareAcrossOrigins, onUnreadable } = options;
  const startInOrder = createStartInOrder((request) => {
    const kind = kindOfRequest(normalizeTarget(request.url ?? '/'));
    protection?.overload.noteRejected(kind, 'pipelined');
  });
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes.value,
      requireHostHeader: false,
      keepAliveTimeout: TIMES.keepAlive,
      connectionsCheckingInterval: TIMES.timeoutCheck,
      headersTimeout: Math.min(limits.requestTimeoutMs, limits.transferTimeoutMs),
      requestTimeout: limits.transferTimeoutMs,
    },
    (request, response) => {
      response.setMaxListeners(MAX_LISTENERS);
      if (hasBody(request)) {
        if (mayHaveManyPieces(request)) boundPieces(request, response, onUnreadable);
        discardUnreadBody(request, response);
      }
      if (hasUnknownEnd(request)) response.setHeader('Connection', 'close');
      startInOrder(request, response, () => {
        const target = normalizeTarget(request.url ?? '/');
        if (shareAcrossOrigins?.(request, response, target)) return;
        const start = () => {
          request.url = target;
          app(request, response);
        };
        const kind = kindOfRequest(target);
        if (!protection || kind === 'probe') {
          start();
          return;
        }
        const { shedder, starts } = protection;
        if (!shedder.admit(kind, request, response)) return;
        starts.run((waitedMs) => {
          if (response.destroyed) return;
          if (waitedMs <= LIMITS.startWait.value) start();
          else shedder.rejectLate(kind, request, response);
        });
      });
    },
  );
  // Closes a connection before a byte is read: the client may safely try again, here or elsewhere.
  server.maxConnections = limits.maxConnections;
  // Otherwise a full worker of node:cluster returns a connection, and the supervisor offers it again in a busy loop while all are full.
  // Missing in the types of Node.js.
  Object.assign(server, { dropMaxConnection: true });
  server.on('clientError', (error, socket) => answerClientError(error, socket, onUnreadable));
  server.on('connect', (_request, socket) => answerConnect(socket as Socket, onUnreadable));
  // An unknown expectation is no reason to refuse a request (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const sockets = new LinkedList<Socket>();
  server.on('connection', (socket) => {
    const node = sockets.add(socket);
    socket.on('close', () => sockets.remove(node));
  });
  if (protection) {
    const { budget, overload } = protection;
    server.on('drop', overload.noteDropped);
    overload.observeConnections(promisify(server.getConnections.bind(server)));
    const trimming = setInterval(
      () => budget.trim(sockets, performance.now()),
      TIMES.budgetCheck,
    ).unref();
    server.on('close', () => clearInterval(trimming));
  }
  return {
    listen: (host, port, setting = 'PORT') => listen(server, host, port, setting),
    stop: () => stopServer(server, sockets, options.graceMs ?? TIMES.stopGrace, onUnreadable),
  };
};

/** Steps of the front, the log, traces and the stream of an export listen for the end of a response. Node.js warns above 10. */
const MAX_LISTENERS = 20;

type Outstanding = { response: ServerResponse; start: () => void };

/**
 * Starts each request of a connection when the one before it has its response (RFC 9112 section 9.3.2): a client that pipelines requests
 * holds no more slots than one that waits. A connection with 4 outstanding requests is not read until one has its response.
 */
const createStartInOrder = (onTooMany: (request: IncomingMessage) => void) => {
  const connections = new WeakMap<Socket, Outstanding[]>();
  /** One listener serves every response, which it gets as `this`. */
  const startNext = function (this: ServerResponse): void {
    const { socket } = this.req;
    const outstanding = connections.get(socket) ?? [];
    // Nothing may start behind a response that ends the connection (RFC 9112 section 9.6).
    if (outstanding[0]?.response !== this || !socket.writable) return;
    outstanding.shift();
    if (outstanding.length === LIMITS.outstandingRequests.value - 1) socket.resume();
    outstanding[0]?.start();
  };
  return (request: IncomingMessage, response: ServerResponse, start: () => void): void => {
    const { socket } = request;
    if (socket.destroyed) return;
    const outstanding = connections.get(socket) ?? [];
    connections.set(socket, outstanding);
    outstanding.push({ response, start });
    response.on('close', startNext);
    if (outstanding.length === 1) start();
    else if (outstanding.length > LIMITS.queuedRequests.value) {
      onTooMany(request);
      socket.destroy();
    } else if (outstanding.length >= LIMITS.outstandingRequests.value) {
      // Node.js continues to read once the parser returns.
      process.nextTick(() => {
        if (outstanding.length >= LIMITS.outstandingRequests.value) socket.pause();
      });
    }
  };
};

/** RFC 9112 section 6.3: without either header a request has no body. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** No piece is empty: a body with fewer bytes, such as that of a join, needs no look at its pieces. */
const mayHaveManyPieces = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > PIECES.free;

/**
 * Each chunk of a body, and each packet, costs some microseconds and an object: 1 MiB in chunks of one byte took eight seconds and
 * 300 MB. Ends the connection of a client that sends such a body, or that sends more than any upload after its response.
 */
const boundPieces = (
  request: IncomingMessage,
  response: ServerResponse,
  onUnreadable?: OnUnreadable,
): void => {
  const isFile = (request.url ?? '').startsWith(IMPORT_PATH);
  const push = request.push.bind(request);
  let [pieces, bytes, isRefused] = [0, 0, false];
  request.push = (piece: Buffer | null, encoding) => {
    if (isRefused) return false;
    if (piece === null) return push(piece, encoding);
    pieces += 1;
    bytes += piece.length;
    const isAnswered = response.writableEnded;
    const isEndless = isAnswered && bytes > PIECES.maxUnreadBytes;
    const free = isFile && !isAnswered ? PIECES.freeOfFile : PIECES.free;
    if (pieces <= free + bytes / PIECES.minBytes && !isEndless) return push(piece, encoding);
    isRefused = true;
    request.pause();
    if (isAnswered) request.socket.destroySoon();
    else answerClientError(TOO_MANY_PIECES, request.socket, onUnreadable);
    return false;
  };
};

const TOO_MANY_PIECES = new ServiceError('body_too_large', {
  desc: 'The body comes in too many pieces.',
});

/**
 * A request may be answered before its body is read: no such route, no credential, too large. The remaining body is then read and
 * discarded, since the next request of the connection follows it. Node.js and Bun discard it too, but Node.js does not count the pieces;
 * under Deno the next request would wait for ever.
 */
const discardUnreadBody = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.method === 'GET' || request.method === 'HEAD') ignoreBody(request, response);
  response.on('prefinish', () => {
    if (request.readableEnded) return;
    request.resume();
    // Marks the body as being read: Node.js discards an unread body itself.
    request.read(0);
  });
};

/** Discards a body without a meaning up to the limit of any other, so that the connection stays usable. */
const ignoreBody = (request: IncomingMessage, response: ServerResponse): void => {
  let bytes = 0;
  request.on('data', ({ length }: Buffer) => {
    bytes += length;
    if (bytes <= LIMITS.bodyBytes.value) return;
    request.pause();
    const { socket } = request;
    if (response.writableFinished) socket.destroySoon();
    else response.once('finish', () => socket.destroySoon());
  });
};

const listen = (
  server: Server,
  host: string,
  port: number,
  setting: PortSetting,
): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new StartError(describeListenError(error, host, port, setting), { cause: error }));
    });
    server.listen({ port, host, backlog: LIMITS.backlog.value }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });

export const describeListenError = (
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  setting: PortSetting,
): string => {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another program: stop it, or choose another ${setting}.`;
    case 'EACCES':
      return `This user may not listen on port ${port}: choose a ${setting} from 1024 on.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST ${host} is no address of this machine.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${message}.`;
  }
};

const stopServer = async (
  server: ReturnType<typeof createServer>,
  sockets: Iterable<Socket>,
  graceMs: number,
  onUnreadable?: OnUnreadable,
): Promise<void> => {
  const stoppedAt = performance.now();
  const leaveBy = stoppedAt + Math.min(TIMES.stopLeave, graceMs);
  const hasClients = () => [...sockets].some(({ bytesRead }) => bytesRead > 0);
  while (hasClients() && performance.now() < leaveBy) await delay(TIMES.stopCheck);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  // A connection is idle for Node.js once its response is written, even if most of the response is still in memory. `close` calls this.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    if (![...sockets].some(({ writableLength }) => writableLength > 0)) closeIdle();
  };
  server.close(() => resolve());
  // Browsers open connections ahead of need. The server counts them as busy until their first request, which may be on its way.
  const closeUnused = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const unused = setTimeout(closeUnused, Math.min(TIMES.stopFirstRequest, graceMs));
  // A connection that was busy when the server closed becomes idle later and would be kept alive.
  const sweep = setInterval(() => server.closeIdleConnections(), TIMES.stopCheck);
  const remainingMs = Math.max(0, stoppedAt + graceMs - performance.now());
  const answerLate = () => {
    for (const socket of sockets) answerIncomplete(socket, onUnreadable);
  };
  const lastAnswers = setTimeout(answerLate, Math.max(0, remainingMs - TIMES.stopLastAnswers));
  // Not `closeAllConnections`, which knows no connection that Node.js has handed over, such as one that asked for a tunnel.
  const deadline = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, remainingMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  clearTimeout(lastAnswers);
  clearTimeout(unused);
};
