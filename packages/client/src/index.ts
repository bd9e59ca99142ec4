// @muster/client: players join, histories are walked. Uses only what browsers, Node.js, Bun and Deno
// share.
export type { ItemWalkRequest, MusterClient, XpWalkRequest } from './client.ts';
export { createMusterClient } from './client.ts';
export type { MusterClientOptions } from './client-options.ts';
export type { TokenOption, TokenProvider } from './credentials/token-provider.ts';
export type { AnyErrorCode } from './errors/errors.ts';
export {
  MusterError,
  NetworkError,
  ServiceError,
  TimeoutError,
  TokenError,
  UnexpectedAnswerError,
  ValidationError,
} from './errors/errors.ts';
export { isServiceError } from './errors/is-service-error.ts';
export type { Fetch } from './http/exchange.ts';
export type { Joined } from './join-by-platform-session.ts';
export type { HistoryPage } from './list-history.ts';
export type {
  CallOptions,
  ItemHistoryRequest,
  JoinByPlatformSessionRequest,
  XpHistoryRequest,
} from './requests.ts';
export type { RetryNotice, RetryOptions } from './retry/retry-options.ts';
export type { HistoryWalk } from './walk-history.ts';
export type * from './wire/error-types.ts';
export type * from './wire/history-types.ts';
export type * from './wire/session-types.ts';
