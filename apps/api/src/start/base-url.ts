import { isIPv6 } from 'node:net';

/** Addresses that mean every interface cannot be connected to everywhere; this machine always can. */
const REACHABLE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const toBaseUrl = (host: string, port: number): string => {
  const reachable = REACHABLE[host] ?? host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
};
