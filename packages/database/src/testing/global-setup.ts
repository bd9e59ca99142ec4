// Vitest global setup: one PostgreSQL and one migrated template database per run, shared by all projects of the run.
import type { TestProject } from 'vitest/node';
import type { TestServer } from './test-server.ts';
import { startTestServer } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    musterTestServer: TestServer;
  }
}

/** Each project of a run loads this module anew, so what they share is kept with the process. */
type Shared = { users: number; started: ReturnType<typeof startTestServer> };
const shared = globalThis as { musterTestServer?: Shared | undefined };

/** Returns the teardown, which vitest calls when the run is over. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.musterTestServer ??= { users: 0, started: startTestServer() };
  const { musterTestServer: current } = shared;
  current.users += 1;
  const { server, stop } = await current.started;
  project.provide('musterTestServer', server);
  return async () => {
    current.users -= 1;
    if (current.users > 0) return;
    shared.musterTestServer = undefined;
    await stop();
  };
}
