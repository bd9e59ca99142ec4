// Writes the body of an answer. A frozen one may be the answer to several requests, such as the session that many have just
// joined: it is written once, and its bytes are shared.
import type { Response } from 'express';

const written = new WeakMap<object, Buffer>();

/**
 * In the place of Express's own `response.json`, and of `response.send` below it, which answers `If-None-Match: *` with
 * a 304: these answers are not to be kept, so that nobody can have one that is still good.
 */
export function writeJson(this: Response, body: unknown): Response {
  if (!this.hasHeader('Content-Type')) {
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
  }
  const bytes = isFrozen(body) ? writeOnce(body) : Buffer.from(JSON.stringify(body));
  this.setHeader('Content-Length', bytes.length);
  return this.end(bytes);
}

const isFrozen = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && Object.isFrozen(body);

const writeOnce = (body: object): Buffer => {
  const known = written.get(body);
  if (known) return known;
  const bytes = Buffer.from(JSON.stringify(body));
  written.set(body, bytes);
  return bytes;
};
