// One call that verifies pact files: for tests and scripts that want the report and not the program.
import { loadPacts } from './pact-files/load-pacts.ts';
import { selectOwnPacts } from './pact-files/own-pacts.ts';
import type { RunningProvider } from './provider/provider.ts';
import type { VerificationReport } from './report/verification-report.ts';
import { verifyPacts } from './verify/verify-pacts.ts';

export type VerifyOptions = {
  /** Files, folders and http(s) URLs. */
  pacts: readonly string[];
  /** What the pacts call the service; those of other providers are skipped. Default `muster`. */
  providerName?: string;
  /** A service that runs already; when absent, the kit starts one. */
  provider?: RunningProvider;
  onProgress?: (sentence: string) => void;
  signal?: AbortSignal;
};

/**
 * Verifies pacts against the contract and against the real service. Throws `Problem` when the service does not start.
 * A pact that cannot be read is a finding of the report, whose verdict is then `failed`.
 */
export const verify = async (options: VerifyOptions): Promise<VerificationReport> => {
  const { provider, onProgress = () => {}, signal } = options;
  const { pacts, findings } = selectOwnPacts(
    await loadPacts(options.pacts, { signal }),
    options.providerName,
  );
  return verifyPacts({
    sources: pacts.map((pact) => ({ pact, pending: false })),
    findings,
    provider,
    onProgress,
    onInteraction: ({ pact, interaction }) =>
      onProgress(`${pact.consumer}: ${interaction.description}`),
    signal,
  });
};
