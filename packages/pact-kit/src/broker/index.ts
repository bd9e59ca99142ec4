// @muster/pact-kit/broker: a Pact broker in memory, for the tests of pipelines.
export {
  type MemoryBroker,
  type MemoryBrokerOptions,
  type PublishedPact,
  startMemoryBroker,
} from './memory-broker.ts';
export type { StoredPact, StoredResult } from './memory-broker-state.ts';
