// The codes with which a join of a verified caller is refused. The routes of the web app need them in the first load, and
// the advice only on a page.
import type { ErrorCode } from './error-catalogue.ts';

/** The codes of refused joins that are recorded. An overload, a rate limit and a missing credential are not. */
export const RECORDED_JOIN_ERROR_CODES = [
  'platform_session_not_found',
  'session_not_joinable',
  'player_removed',
  'version_incompatible',
  'crossplay_incompatible',
  'team_full',
  'session_full',
  'instance_unjoinable',
  'instance_closed',
  'player_not_found',
  'insufficient_permissions',
  'input_invalid',
  'team_not_found',
  'session_too_large',
  'body_too_large',
  'body_compressed',
  'request_timeout',
  'session_busy',
  'internal_error',
] as const satisfies readonly ErrorCode[];

export type RecordedJoinErrorCode = (typeof RECORDED_JOIN_ERROR_CODES)[number];
