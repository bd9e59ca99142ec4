import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/** The names that RFC 6761 section 6.3 reserves for this machine; any other name may lead elsewhere. */
const isLocalName = (host: string): boolean => /^(.+\.)?localhost\.?$/i.test(host);

/** True when only this machine can reach a server that listens on `host`. Brackets of a URL are taken off. */
export const isLoopbackHost = (host: string): boolean => {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(bare);
  if (family === 0) return isLocalName(bare);
  return LOOPBACK.check(bare, family === 4 ? 'ipv4' : 'ipv6');
};
