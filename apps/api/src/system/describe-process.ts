import manifest from '../../package.json' with { type: 'json' };
import type { ServiceFacts } from './system-service.ts';

export const describeProcess = (started: Date): ServiceFacts => ({
  version: manifest.version,
  runtime: nameRuntime(process.versions),
  started: started.toISOString(),
  pid: process.pid,
});

/** Bun and Deno also say which Node.js they are like. */
const nameRuntime = ({ bun, deno, node }: Record<string, string | undefined>): string => {
  if (bun) return `Bun ${bun}`;
  return deno ? `Deno ${deno}` : `Node.js ${node}`;
};
