// Which addresses webhooks may be sent to.
import ipaddr from 'ipaddr.js';
import { isLoopbackHost, ServiceError } from '../platform/index.ts';

/** The platform channel of Azure has an address of a public range. */
const METADATA = new Set(['168.63.129.16']);
/** The only range of IPv6 that is assigned to the public internet. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** False for private, loopback, link-local, metadata and other special addresses, and for text that is no address. */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address that is written as IPv6 is judged as IPv4.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
};

/** The host without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** What the audit trail shows of a URL: path and query often contain a secret of the receiver. */
export const originOf = (url: string): string => new URL(url).origin;

/** Throws `webhook_url_refused`. A name is resolved and checked again before each delivery. */
export const checkUrl = (text: string, { allowPrivate }: { allowPrivate: boolean }): void => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) throw refused('The URL is not valid.');
  const { username, password, hash, protocol } = url;
  if (username || password) throw refused('The URL must not contain a user name or a password.');
  if (hash) throw refused('The URL must not contain a fragment.');
  const host = hostOf(url);
  const isLocal = isLoopbackHost(host);
  const isEncrypted = protocol === 'https:' || (protocol === 'http:' && allowPrivate && isLocal);
  if (!isEncrypted) throw refused();
  const isPrivate = isLocal || (ipaddr.isValid(host) && !isPublicAddress(host));
  if (isPrivate && !allowPrivate) throw refused();
};

const refused = (desc?: string): ServiceError =>
  new ServiceError('webhook_url_refused', { place: 'url', ...(desc !== undefined && { desc }) });
