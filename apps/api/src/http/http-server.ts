// The HTTP server around the application: limits, deadlines, and answers to what is no HTTP at all.
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { answerClientError, answerConnect } from './client-errors.ts';
import { normalizeTarget } from './request-target.ts';

/** A path may hold 12 KiB of an id; RFC 9110 asks for 8 KiB at least. Request line and headers together. */
const MAX_HEADER_BYTES = 65_536;

const DEADLINES = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  /** Longer than the idle time of common proxies, so that they, and not we, close first. */
  keepAliveTimeout: 75_000,
  /** How often the server looks for requests that are past their time. */
  connectionsCheckingInterval: 5_000,
};

export const createHttpServer = (app: Express): Server => {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false, ...DEADLINES },
    (request, response) => {
      request.url = normalizeTarget(request.url ?? '/');
      app(request, response);
    },
  );
  server.on('clientError', answerClientError);
  server.on('connect', (_request, socket) => answerConnect(socket as Socket));
  // An expectation that we do not know is no reason to refuse (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
};
