import type { Finding } from '../finding.ts';
import type { PactFile, PactInteraction } from '../pact-file.ts';

/** One interaction on its way through the verifier. `id` is unique in the run. */
export type InteractionJob = {
  id: number;
  pact: PactFile;
  interaction: PactInteraction;
};

/** What came of it. */
export type JobResult = {
  job: InteractionJob;
  findings: Finding[];
  durationMs: number;
};
