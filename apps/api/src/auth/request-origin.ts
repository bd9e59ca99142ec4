// The rule against requests that other sites make a browser send (CSRF), for credentials in cookies.
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors/service-error.ts';

/**
 * A browser names the origin of the page in every request that is not GET or HEAD; a changing request with
 * a cookie must come from a page of this service. An absent Origin is refused too: it proves nothing.
 * Throws `origin_refused`.
 */
export const refuseForeignOrigin = (request: IncomingMessage, publicUrl?: URL): void => {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { origin } = request.headers;
  if (origin === undefined) throw refuse('Requests that change something must name their Origin.');
  if (origin === readOwnOrigin(request, publicUrl)) return;
  const own = publicUrl ? `${publicUrl.origin}, as PUBLIC_URL says` : 'its own address';
  throw refuse(`The request comes from another site; this service takes only those of ${own}.`);
};

const refuse = (desc: string): ServiceError => new ServiceError('origin_refused', { desc });

/**
 * The origin of this service's own pages. Without a configured one the Host header decides: a cookie belongs
 * to its host, and another site cannot make a browser send a different one.
 */
export const readOwnOrigin = ({ headers }: IncomingMessage, publicUrl?: URL): string | undefined =>
  publicUrl ? publicUrl.origin : URL.parse(`http://${headers.host ?? ''}`)?.origin;
