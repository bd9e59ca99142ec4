// @muster/client: players join, histories are walked. Uses only what browsers, Node.js, Bun and Deno
// share.

export type { Fetch } from './call-service.ts';
export type {
  ItemWalkRequest,
  MusterClient,
  MusterClientOptions,
  XpWalkRequest,
} from './client.ts';
export { createMusterClient } from './client.ts';
export type { ListedSessions, SessionRead } from './companion.ts';
export type { TokenOption, TokenProvider } from './credentials.ts';
export type { AnyErrorCode } from './errors.ts';
export {
  isServiceError,
  MusterError,
  NetworkError,
  ServiceError,
  TimeoutError,
  TokenError,
  UnexpectedAnswerError,
  ValidationError,
} from './errors.ts';
export type { HistoryPage, HistoryWalk } from './history.ts';
export type { Joined } from './join-by-platform-session.ts';
export type {
  CallOptions,
  ItemHistoryRequest,
  JoinByPlatformSessionRequest,
  LeaveSessionRequest,
  ListPlayerSessionsRequest,
  ReadSessionRequest,
  XpHistoryRequest,
} from './requests.ts';
export type { RetryNotice, RetryOptions } from './retries.ts';
export type * from './wire/companion-types.ts';
export type * from './wire/error-types.ts';
export type * from './wire/history-types.ts';
export type * from './wire/session-types.ts';
