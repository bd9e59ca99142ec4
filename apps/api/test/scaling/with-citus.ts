// A cluster for the tests of one file, which are skipped without Citus.
import type { CitusCluster } from '@muster/database/testing';
import { NoCitusError, startCitusCluster } from '@muster/database/testing';

const started = await startCitusCluster().catch((error: unknown) => {
  if (error instanceof NoCitusError) return error;
  throw error;
});

export const hasNoCitus = started instanceof NoCitusError;
/** For tests that are not skipped. */
export const cluster = started as CitusCluster;

// Reporters do not list skipped tests.
if (started instanceof NoCitusError) {
  process.stderr.write(`Skipped: all tests of Citus. ${started.message}\n`);
}
