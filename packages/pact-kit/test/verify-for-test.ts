import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadPacts } from '../src/pact-files/load-pacts.ts';
import type { Provider } from '../src/provider/provider.ts';
import type { JobResult } from '../src/verify/interaction-proxy.ts';
import { verifyDynamically } from '../src/verify/verify-pacts.ts';

/** A folder that lives as long as the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pact-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Writes the pacts as files, named by their place in the list, and gives their paths. */
export const writePacts = (folder: string, pacts: readonly object[]): string[] =>
  pacts.map((pact, index) => {
    const path = join(folder, `pact-${index}.json`);
    writeFileSync(path, JSON.stringify(pact, null, 2));
    return path;
  });

const toProvider = ({ url, secret }: { url: string; secret: string }): Provider => ({
  url,
  secret,
  folder: temporaryFolder(),
  stop: async () => {},
});

/** Replays pacts against the service, without the static check. */
export const replay = async (
  pacts: readonly object[],
  provider: { url: string; secret: string },
): Promise<JobResult[]> => {
  const loaded = await loadPacts(writePacts(temporaryFolder(), pacts));
  return verifyDynamically({
    pacts: loaded.pacts,
    provider: toProvider(provider),
    onInteraction: () => {},
  });
};
