// The whole verification: the static check, the replay against the service, one report.
import type { Finding } from '../finding.ts';
import type { Provider } from '../provider/index.ts';
import type { VerificationReport } from '../report/index.ts';
import { summarise } from '../report/index.ts';
import { checkPacts } from '../static-check/index.ts';
import type { InteractionJob } from './interaction-job.ts';
import type { PactSource } from './merge-results.ts';
import { mergeResults } from './merge-results.ts';
import { verifyDynamically } from './verify-dynamically.ts';

export type VerifyPactsOptions = {
  sources: readonly PactSource[];
  /** Findings that loading the pacts gave already. */
  findings?: readonly Finding[];
  /** What the report calls the service, such as `muster 0.1.0`. */
  providerName: string;
  startProvider: () => Promise<Provider>;
  onInteraction?: (job: InteractionJob, total: number) => void;
  /** The number of interactions must not be below the one that this file keeps. */
  lastRunFile?: string | undefined;
  signal?: AbortSignal | undefined;
};

/** Throws Problem when the service does not start or the verifier cannot run; the service is always stopped. */
export const verifyPacts = async (options: VerifyPactsOptions): Promise<VerificationReport> => {
  const startedAt = performance.now();
  const { sources, lastRunFile } = options;
  const pacts = sources.map(({ pact }) => pact);
  const said = checkPacts(pacts, lastRunFile === undefined ? {} : { lastRunFile });
  const replay = await replayAll(options);
  const merged = mergeResults(sources, [...(options.findings ?? []), ...said], replay.results);
  return {
    formatVersion: 1,
    provider: options.providerName,
    ...summarise(merged.pacts, merged.findings),
    durationMs: Math.round(performance.now() - startedAt),
    startUpMs: replay.startUpMs,
    ...merged,
  };
};

const replayAll = async ({ sources, startProvider, onInteraction, signal }: VerifyPactsOptions) => {
  if (sources.every(({ pact }) => pact.interactions.length === 0)) {
    return { results: [], startUpMs: 0 };
  }
  const startedAt = performance.now();
  const provider = await startProvider();
  const startUpMs = Math.round(performance.now() - startedAt);
  try {
    const pacts = sources.map(({ pact }) => pact);
    const results = await verifyDynamically({
      pacts,
      provider,
      ...(onInteraction && { onInteraction }),
      ...(signal && { signal }),
    });
    return { results, startUpMs };
  } finally {
    await provider.stop();
  }
};
