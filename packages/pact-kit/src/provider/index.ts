// The service that pacts are verified against: one that the kit starts, or one that runs already.
export type { Provider } from './provider.ts';
export { startEmbeddedProvider } from './start-embedded-provider.ts';
export { useRunningProvider } from './use-running-provider.ts';
