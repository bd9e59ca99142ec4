// Starting and stopping the service.
export { toBaseUrl } from './base-url.ts';
export { checkConnection } from './check-connection.ts';
export { composeWelcome } from './compose-welcome.ts';
export { createService } from './create-service.ts';
export { explainFailure } from './explain-failure.ts';
export { listen } from './listen.ts';
export { prepareStop } from './prepare-stop.ts';
export { type Life, runService } from './run-service.ts';
export { StartError } from './start-error.ts';
export { warmUp } from './warm-up.ts';
