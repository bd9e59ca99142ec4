// Generated from the contract by "npm run generate -w @muster/client"; do not edit.

/** The reasons for a refusal that this version of the client knows. */
export type ErrorCode =
  | 'auth_missing'
  | 'auth_not_jwt'
  | 'auth_token_format'
  | 'auth_token_sig_invalid'
  | 'auth_token_expired'
  | 'auth_token_invalid_claim'
  | 'auth_token_unknown'
  | 'auth_token_too_large'
  | 'insufficient_permissions'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'headers_too_large'
  | 'internal_error'
  | 'rate_limited'
  | 'service_unavailable'
  | 'player_removed'
  | 'session_not_joinable'
  | 'version_incompatible'
  | 'crossplay_incompatible'
  | 'platform_session_not_found'
  | 'player_not_found'
  | 'team_full'
  | 'session_full'
  | 'instance_unjoinable'
  | 'instance_closed'
  | 'session_busy'
  | 'service_overloaded'
  | 'body_compressed'
  | 'request_malformed'
  | 'request_timeout'
  | 'session_not_found';

/** Why the service refused the request. */
export type ServiceErrorBody = {
  /** False when the credential was not accepted: refresh it and send again. */
  auth_success?: boolean | undefined;
  /** A stable identifier of the reason. Later versions may add codes: treat an unknown one by its status. */
  error_code: string;
  /** One sentence for people. Its wording may change. */
  desc: string;
};

/** Every problem of the request. */
export type ValidationErrorBody = {
  detail: ValidationProblem[];
};

/** One problem and the place that it is in. */
export type ValidationProblem = {
  /** Where: path, query, header or body, then field names (strings) and array indexes (integers). */
  loc: (string | number)[];
  /** One sentence for people. Its wording may change. */
  msg: string;
  /** A stable identifier. */
  type: string;
};
