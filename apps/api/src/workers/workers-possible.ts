import { ConfigError } from '../config/index.ts';

/** Bun and Deno have other ways to share a port, and their `node:cluster` is not what supervision here needs. */
export const assertWorkersPossible = (
  versions: Readonly<Record<string, string | undefined>> = process.versions,
): void => {
  const other = versions.bun !== undefined ? 'Bun' : versions.deno !== undefined ? 'Deno' : null;
  if (other === null) return;
  throw new ConfigError([
    `WORKERS above 1 needs Node.js: under ${other} start several processes on ports of their own, behind a load balancer.`,
  ]);
};
