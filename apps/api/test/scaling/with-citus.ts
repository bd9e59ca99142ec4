// A cluster for the tests of one file, which are left out where there is no Citus.
import type { CitusCluster } from '@muster/database/testing';
import { NoCitusError, startCitusCluster } from '@muster/database/testing';

const started = await startCitusCluster().catch((error: unknown) => {
  if (error instanceof NoCitusError) return error;
  throw error;
});

export const hasNoCitus = started instanceof NoCitusError;
/** For tests that are not left out. */
export const cluster = started as CitusCluster;

// Reporters do not list what was skipped.
if (started instanceof NoCitusError) {
  process.stderr.write(`Left out: everything about Citus. ${started.message}\n`);
}
