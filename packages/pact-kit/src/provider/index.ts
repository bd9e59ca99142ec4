// The service that pacts are verified against: one that the kit starts, or one that runs already.
export type { Provider } from './provider.ts';
export { type EmbeddedProviderOptions, startEmbeddedProvider } from './start-embedded-provider.ts';
export { type RunningProviderOptions, useRunningProvider } from './use-running-provider.ts';
