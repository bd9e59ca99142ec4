// What the command line asks of a broker.
export { askBroker } from './can-i-deploy.ts';
export {
  type ConsumerVersionSelector,
  fetchPactsToVerify,
  type PactToVerify,
} from './fetch-pacts.ts';
export { type BrokerAccess, createHalClient, type HalClient } from './hal-client.ts';
export { publishResults } from './publish-results.ts';
