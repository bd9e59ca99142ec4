// Serves bytes that never change while the service runs: loaded once, compressed once, validated by ETag.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { memoize } from '../../flow/index.ts';

type Content = {
  contentType: string;
  cacheControl: string;
  headers?: Record<string, string>;
  /** Called by the first request, and again after it has failed. */
  load(): Promise<Buffer>;
};

/** A copy is used only after validation: the content changes with the service. */
export const ASK_FIRST = 'no-cache';
/** For an address that changes with the content. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

type Encoding = 'br' | 'gzip' | 'identity';

type Loaded = { etag: string } & Record<Encoding, Buffer>;

/** Near the best ratio at a tenth of its time: the first reader waits for it. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

export const serveContent = (content: Content): RequestHandler => {
  const load = memoize(() => loadContent(content));
  return async (request, response) => {
    const loaded = await load();
    response.set({
      ...content.headers,
      'Content-Type': content.contentType,
      'Cache-Control': content.cacheControl,
      ETag: loaded.etag,
      Vary: 'Accept-Encoding',
    });
    const encoding = chooseEncoding(request);
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.send(loaded[encoding]);
  };
};

/** Browsers send some twenty characters. A longer list is ignored. */
const MAX_ACCEPTED_LENGTH = 256;

const chooseEncoding = (request: Request): Encoding =>
  (request.headers['accept-encoding'] ?? '').length <= MAX_ACCEPTED_LENGTH
    ? ((request.acceptsEncodings('br', 'gzip', 'identity') || 'identity') as Encoding)
    : 'identity';

/** The validator is weak, since all encodings share it (RFC 9110 section 8.8.3.3). */
const loadContent = async (content: Content): Promise<Loaded> => {
  const plain = await content.load();
  const digest = createHash('sha256').update(plain).digest('base64url');
  const [compressed, smaller] = await Promise.all([
    promisify(gzip)(plain),
    promisify(brotliCompress)(plain, BROTLI),
  ]);
  return { identity: plain, gzip: compressed, br: smaller, etag: `W/"${digest.slice(0, 22)}"` };
};
