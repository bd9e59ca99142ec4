// Settings: the environment is read once, here, and passed down as values.
export { ConfigError } from './config-error.ts';
export type { Config } from './load-config.ts';
export { loadConfig } from './load-config.ts';
export { ensureLocalSecret } from './local-secret.ts';
export { isLoopbackHost } from './loopback.ts';
