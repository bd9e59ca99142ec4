// The HTTP server around the application: limits, deadlines, and answers to what is no HTTP at all.
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import type { Express } from 'express';
import type { Admission, StartRequest } from './admission/admission.ts';
import { answerClientError, answerConnect } from './client-errors.ts';
import { discardUnreadBody } from './discard-unread-body.ts';
import { normalizeTarget } from './request-target.ts';

export type HttpServerOptions = {
  limits: { maxConnections: number; headersTimeoutMs: number; requestTimeoutMs: number };
  /** Absent: every request is taken in, as on the port of the metrics. */
  admission?: Admission;
  /** Hears of each connection that was closed at once because there are too many. */
  onConnectionDropped?: () => void;
  /** Is given a way to count the connections that are open. */
  observeConnections?: (count: () => Promise<number>) => void;
};

/** A path may hold 12 KiB of an id; RFC 9110 asks for 8 KiB at least. Request line and headers together. */
const MAX_HEADER_BYTES = 65_536;

const INTERVALS = {
  /** Longer than the idle time of common proxies, so that they, and not we, close first. */
  keepAliveTimeout: 75_000,
  /** How often the server looks for requests that are past their time. */
  connectionsCheckingInterval: 1_000,
};

export const createHttpServer = (
  app: Express,
  { limits, admission, onConnectionDropped, observeConnections }: HttpServerOptions,
): Server => {
  const { headersTimeoutMs: headersTimeout, requestTimeoutMs: requestTimeout } = limits;
  const deadlines = { headersTimeout: Math.min(headersTimeout, requestTimeout), requestTimeout };
  const start: StartRequest = (request, response, target) => {
    request.url = target;
    app(request, response);
  };
  admission?.serve(start);
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false, ...INTERVALS, ...deadlines },
    (request, response) => {
      discardUnreadBody(request, response);
      const target = normalizeTarget(request.url ?? '/');
      if (admission) admission.enter(request, response, target);
      else start(request, response, target);
    },
  );
  // Closed before a byte of it is read: whoever is refused so may safely try again, here or elsewhere.
  server.maxConnections = limits.maxConnections;
  closeExcessInWorkers(server);
  if (onConnectionDropped) server.on('drop', onConnectionDropped);
  observeConnections?.(promisify(server.getConnections.bind(server)));
  server.on('clientError', answerClientError);
  server.on('connect', (_request, socket) => answerConnect(socket as Socket));
  // An expectation that we do not know is no reason to refuse (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
};

/**
 * Under node:cluster a worker that is full gives a connection back, and the supervisor offers it round and round for as long as all are full:
 * the client waits without an answer, and a core is busy. Missing in the types of Node.js.
 */
const closeExcessInWorkers = (server: Server): void => {
  Object.assign(server, { dropMaxConnection: true });
};
