// Vitest global setup: one PostgreSQL and one migrated template database per run.
import type { TestProject } from 'vitest/node';
import type { TestServer } from './test-server.ts';
import { startTestServer } from './test-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    musterTestServer: TestServer;
  }
}

/** Returns the teardown, which vitest calls when the run is over. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startTestServer();
  project.provide('musterTestServer', server);
  return stop;
}
