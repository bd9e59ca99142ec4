// Which codes the public endpoints answer with. The rest of the catalogue belongs to the admin API.
import type { ErrorCode } from './error-catalogue.ts';

const EVERYWHERE = [
  'auth_missing',
  'auth_not_jwt',
  'auth_token_format',
  'auth_token_sig_invalid',
  'auth_token_expired',
  'auth_token_invalid_claim',
  'auth_token_unknown',
  'insufficient_permissions',
  'route_not_found',
  'method_not_allowed',
  'body_too_large',
  'headers_too_large',
  'internal_error',
] as const satisfies readonly ErrorCode[];

/** What a history can be refused with. */
export const HISTORY_ERROR_CODES = [
  ...EVERYWHERE,
  'rate_limited',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];
export type HistoryErrorCode = (typeof HISTORY_ERROR_CODES)[number];

/** What a join can be refused with. */
export const JOIN_ERROR_CODES = [
  ...EVERYWHERE,
  'session_not_joinable',
  'version_incompatible',
  'crossplay_incompatible',
  'platform_session_not_found',
  'player_not_found',
  'team_full',
  'session_full',
  'instance_unjoinable',
  'instance_closed',
  'session_busy',
  'service_overloaded',
  'body_compressed',
] as const satisfies readonly ErrorCode[];
export type JoinErrorCode = (typeof JOIN_ERROR_CODES)[number];

/** Answers to what is no HTTP request at all: no endpoint declares them. */
const BEFORE_ANY_ROUTE = [
  'request_malformed',
  'request_timeout',
] as const satisfies readonly ErrorCode[];

/** Every code that a client of the public endpoints can meet. Later versions may add some. */
export const PUBLIC_ERROR_CODES: readonly ErrorCode[] = [
  ...new Set<ErrorCode>([...HISTORY_ERROR_CODES, ...JOIN_ERROR_CODES, ...BEFORE_ANY_ROUTE]),
];
