// One call that verifies pact files: for tests and scripts that want the report and not the program.
import { KIT_VERSION } from './cli/kit-version.ts';
import { loadPacts, PROVIDER_NAME, selectOwnPacts } from './pact-files/index.ts';
import { startEmbeddedProvider, useRunningProvider } from './provider/index.ts';
import type { VerificationReport } from './report/index.ts';
import { verifyPacts } from './verify/index.ts';

export type VerifyOptions = {
  /** Files, folders and http(s) URLs. */
  pacts: readonly string[];
  /** What the pacts call the service; those of other providers are skipped. Default `muster`. */
  providerName?: string;
  /** A service that runs already; when absent, the kit starts one. */
  provider?: { url: string; secret: string; issuer?: string; audience?: string };
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
    providerName: provider?.url ?? `${PROVIDER_NAME} ${KIT_VERSION}`,
    startProvider: () =>
      provider
        ? useRunningProvider(provider)
        : startEmbeddedProvider({ onProgress, ...(signal && { signal }) }),
    onInteraction: ({ pact, interaction }) =>
      onProgress(`${pact.consumer}: ${interaction.description}`),
    ...(signal && { signal }),
  });
};
