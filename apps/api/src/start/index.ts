// Starting and stopping the service.
export { toBaseUrl } from './base-url.ts';
export { checkConnection } from './check-connection.ts';
export { composeWelcome } from './compose-welcome.ts';
export { createService } from './create-service.ts';
export { listen } from './listen.ts';
export { runService } from './run-service.ts';
export { getSigningKeys } from './signing-keys.ts';
export { StartError } from './start-error.ts';
export { stopServer } from './stop-server.ts';
export { parseTokenCommand, UsageError } from './token-command.ts';
