// Settings: the environment is read once, here, and passed down as values.
export type { OidcConfig } from './accounts-config.ts';
export { getAccountsSecret } from './accounts-secret.ts';
export { ConfigError } from './config-error.ts';
export type { RateLimit } from './limits-config.ts';
export type { Config } from './load-config.ts';
export { loadConfig } from './load-config.ts';
export { ensureLocalSecret } from './local-secret.ts';
export { assertSecretsFit, readLocalSecrets, writeLocalSecrets } from './local-secret-files.ts';
export { isLoopbackHost } from './loopback.ts';
