// Serves bytes that never change while the service runs: loaded once, compressed once, validated by ETag.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

export type Content = {
  contentType: string;
  cacheControl: string;
  headers?: Record<string, string>;
  /** Called by the first request, and again only after it has failed. */
  load(): Promise<Buffer>;
};

type Loaded = { plain: Buffer; compressed: Buffer; etag: string };

export const serveContent = (content: Content): RequestHandler => {
  let loading: Promise<Loaded> | null = null;
  const load = (): Promise<Loaded> => {
    loading ??= loadContent(content).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  return async (request, response) => {
    const { plain, compressed, etag } = await load();
    response.set(content.headers ?? {});
    response.set({
      'Content-Type': content.contentType,
      'Cache-Control': content.cacheControl,
      ETag: etag,
      Vary: 'Accept-Encoding',
    });
    const isCompressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isCompressed) response.set('Content-Encoding', 'gzip');
    response.send(isCompressed ? compressed : plain);
  };
};

/** The validator is weak, since it stands for both encodings (RFC 9110 section 8.8.3.3). */
const loadContent = async (content: Content): Promise<Loaded> => {
  const plain = await content.load();
  const digest = createHash('sha256').update(plain).digest('base64url');
  return {
    plain,
    compressed: await promisify(gzip)(plain),
    etag: `W/"${digest.slice(0, 22)}"`,
  };
};
