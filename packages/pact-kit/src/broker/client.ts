// What the command line asks of a broker.
export { askBroker, type DeployQuestion } from './can-i-deploy.ts';
export {
  type ConsumerVersionSelector,
  fetchPactsToVerify,
  type PactQuery,
  type PactToVerify,
} from './fetch-pacts.ts';
export { type BrokerAccess, createHalClient, type HalClient } from './hal-client.ts';
export { type PublishOptions, publishResults } from './publish-results.ts';
