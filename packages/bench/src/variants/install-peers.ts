// What the chosen benchmarks need of others, there before PostgreSQL is started: an installation disturbs no measurement.
import type { BenchmarkName } from '../options.ts';
import type { PeerName } from './install-peer.ts';
import { installPeer } from './install-peer.ts';

const PEERS: Record<BenchmarkName, readonly PeerName[]> = {
  startup: [],
  overload: [],
  soak: [],
  web: [],
  join: ['colyseus'],
  history: ['payload'],
};

/** One that could not be installed is left out later, with a note in the report. */
export const installPeers = async (
  benchmarks: readonly BenchmarkName[],
  report: (sentence: string) => void,
): Promise<void> => {
  for (const name of benchmarks.flatMap((benchmark) => PEERS[benchmark])) {
    await installPeer(name, report);
  }
};
