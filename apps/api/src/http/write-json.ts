// Writes the body of an answer. A frozen one may be the answer to several requests, such as the session that many have just
// joined: it is written once, and its bytes are shared.
import type { Response } from 'express';

const written = new WeakMap<object, Buffer>();

/** In the place of Express's own `response.json`. */
export function writeJson(this: Response, body: unknown): Response {
  if (!this.hasHeader('Content-Type')) {
    this.setHeader('Content-Type', 'application/json; charset=utf-8');
  }
  return this.send(isFrozen(body) ? writeOnce(body) : Buffer.from(JSON.stringify(body)));
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
