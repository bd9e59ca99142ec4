// The one catalogue of errors: code → status → public sentence. Every edge reads this table.
type ErrorEntry = { status: number; desc: string; authFailed?: true };

const unauthenticated = (desc: string) => ({ status: 403, desc, authFailed: true }) as const;

/**
 * Longer tokens are refused before anything is decoded, with `auth_success: true`: a fresh token would be as long. Issuers
 * stay far below, since proxies cut at 8 KiB.
 */
export const MAX_TOKEN_LENGTH = 16_384;

/** The sentence of `service_unavailable` during maintenance. Such a request changed nothing. */
export const MAINTENANCE_DESC = 'The service is in maintenance. Try again later.';

export const ERROR_CATALOGUE = {
  auth_missing: unauthenticated('No credential was sent.'),
  auth_not_jwt: unauthenticated('The credential is neither a JWT nor an API key.'),
  auth_token_format: unauthenticated('The token is malformed.'),
  auth_token_sig_invalid: unauthenticated('The signature of the token is not valid.'),
  auth_token_expired: unauthenticated('The token has expired.'),
  auth_token_invalid_claim: unauthenticated('A claim of the token is missing or not accepted.'),
  auth_token_unknown: unauthenticated('The key is unknown or was revoked.'),
  auth_token_too_large: {
    status: 403,
    desc: `The token is longer than ${MAX_TOKEN_LENGTH.toLocaleString('en-US')} characters; a new token with the same content will be refused as well.`,
  },
  auth_session_ended: unauthenticated('The sign-in has ended; sign in again.'),
  insufficient_permissions: { status: 403, desc: 'The credential does not permit this action.' },
  origin_refused: { status: 403, desc: 'The request comes from a page of another site.' },
  password_change_required: {
    status: 403,
    desc: 'Choose a password of your own first: the one-time password opens nothing else.',
  },
  sign_in_refused: {
    status: 403,
    desc: 'E-mail and password do not belong together, or the account is disabled.',
  },
  two_factor_refused: {
    status: 403,
    desc: 'The code is not right, was used already, or came too late.',
  },
  password_refused: { status: 403, desc: 'The current password is not right.' },
  password_unfit: { status: 400, desc: 'A password has 12 to 128 characters.' },
  sign_in_expired: {
    status: 403,
    desc: 'The sign-in took too long, was already used, or was started in another browser. Start again.',
  },
  issuer_unavailable: {
    status: 503,
    desc: 'The single sign-on service does not respond correctly. Try again later, or sign in with a password.',
  },
  issuer_refused: {
    status: 403,
    desc: 'The single sign-on service did not sign you in, or you cancelled there.',
  },
  issuer_response_invalid: {
    status: 403,
    desc: 'The response of the single sign-on service failed a security check, so you were not signed in. The audit trail shows the reason.',
  },
  email_not_verified: {
    status: 403,
    desc: 'The single sign-on service has not verified your e-mail address. Verify it there, then sign in again.',
  },
  person_not_invited: {
    status: 403,
    desc: 'Your e-mail address has neither an account nor an invitation. Ask an owner for an invitation.',
  },
  account_disabled: {
    status: 403,
    desc: 'Your account is disabled. Ask an owner to enable it.',
  },
  second_identity: {
    status: 403,
    desc: 'Another single sign-on identity is linked to your account. Ask an owner to remove it under People, then sign in again.',
  },
  account_request_refused: { status: 400, desc: 'The request is not one that accounts answer.' },
  person_not_found: { status: 404, desc: 'There is no such person.' },
  person_exists: { status: 409, desc: 'A person with this e-mail address has an account already.' },
  identity_not_found: { status: 404, desc: 'This person has no such identity.' },
  grant_beyond_permissions: {
    status: 403,
    desc: 'An account cannot grant or take over permissions that it lacks.',
  },
  last_owner: { status: 409, desc: 'The last owner stays: make another person an owner first.' },
  owner_not_narrowed: { status: 400, desc: 'An owner cannot be narrowed to sandboxes.' },
  own_account: { status: 409, desc: 'This cannot be done to the account that asks for it.' },
  invitation_not_found: {
    status: 404,
    desc: 'The invitation is unknown, used, revoked or expired: ask for a new one.',
  },
  service_account_not_found: { status: 404, desc: 'There is no such service account.' },
  service_account_exists: { status: 409, desc: 'There is a service account with this name.' },
  key_not_found: { status: 404, desc: 'There is no such key.' },
  key_revoked: { status: 409, desc: 'The key is revoked or expired; make a new one.' },
  too_many_keys: {
    status: 409,
    desc: 'The service account has a hundred working keys: revoke one first.',
  },
  webhook_not_found: { status: 404, desc: 'There is no such webhook.' },
  webhook_version_conflict: {
    status: 409,
    desc: 'The webhook has changed since it was read; see current_version.',
  },
  webhook_url_refused: {
    status: 400,
    desc: 'The URL must start with https:// and must not lead to a private address.',
  },
  webhook_secret_unreadable: {
    status: 409,
    desc: 'The secret was encrypted with another ACCOUNTS_SECRET: rotate it.',
  },
  too_many_webhooks: { status: 409, desc: 'There are 20 webhooks: delete one first.' },
  delivery_not_found: { status: 404, desc: 'There is no such delivery.' },
  player_removed: {
    status: 403,
    desc: 'The player was removed from this session, and may join again only after a new invitation.',
  },
  session_not_joinable: { status: 403, desc: 'The session takes only players who were invited.' },
  version_incompatible: {
    status: 403,
    desc: 'The client version does not match the version of the instance.',
  },
  crossplay_incompatible: {
    status: 403,
    desc: 'Crossplay preferences do not permit this player in the session.',
  },
  platform_session_not_found: { status: 404, desc: 'There is no such platform session.' },
  player_not_found: { status: 404, desc: 'There is no such player.' },
  team_full: { status: 409, desc: 'The team is full; another team has room.' },
  session_full: { status: 409, desc: 'Every team of the session is full.' },
  instance_unjoinable: { status: 409, desc: 'The instance takes no new players now.' },
  instance_closed: {
    status: 409,
    desc: 'The instance is closed; the session takes players again once it has a new instance.',
  },
  session_busy: { status: 409, desc: 'Too many changes to this session at once; try again.' },
  service_overloaded: { status: 409, desc: 'The service cannot take the request now; try again.' },
  service_unavailable: { status: 503, desc: 'The service cannot take the request now; try again.' },
  rate_limited: { status: 429, desc: 'Too many requests; try again later.' },
  route_not_found: { status: 404, desc: 'There is no such route.' },
  method_not_allowed: { status: 405, desc: 'The route does not answer this method.' },
  body_too_large: { status: 413, desc: 'The body is too large.' },
  body_compressed: { status: 415, desc: 'Compressed bodies are not accepted.' },
  unsupported_media_type: {
    status: 415,
    desc: 'The body must be declared as application/json, in UTF-8.',
  },
  headers_too_large: {
    status: 431,
    desc: 'The request line and headers are larger than 32 KiB, or there are over 1,000 headers.',
  },
  request_malformed: { status: 400, desc: 'The request is not valid HTTP.' },
  request_timeout: { status: 408, desc: 'The request did not arrive in time.' },
  cursor_expired: {
    status: 400,
    desc: 'The cursor is older than the events that are kept, or of another database: start without a cursor.',
  },
  input_invalid: { status: 400, desc: 'The input is not valid; see detail.' },
  session_too_large: { status: 422, desc: 'The session would be larger than it may be.' },
  session_not_found: { status: 404, desc: 'There is no such session.' },
  session_exists: { status: 409, desc: 'There is a session with this type and id.' },
  session_etag_mismatch: { status: 409, desc: 'The session has changed since it was read.' },
  session_without_teams: {
    status: 400,
    desc: 'The session has no teams, and its type has no default teams.',
  },
  platform_session_taken: { status: 409, desc: 'The platform session belongs to another session.' },
  platform_session_exists: {
    status: 409,
    desc: 'The session already has this platform session with other content. To replace it, send replace: true.',
  },
  seat_not_found: { status: 404, desc: 'The player has no seat in this session.' },
  seat_held: { status: 409, desc: 'The seat is held for a player who has not arrived.' },
  instance_not_found: { status: 404, desc: 'The session has no instance.' },
  session_not_ended: {
    status: 409,
    desc: 'The session has not ended: only ended ones are deleted.',
  },
  session_type_in_use: { status: 409, desc: 'Live sessions have this type: end them first.' },
  session_type_not_found: { status: 404, desc: 'There is no such session type.' },
  team_not_found: { status: 404, desc: 'The session has no such team.' },
  team_in_use: { status: 409, desc: 'The team has more seats than that.' },
  instance_transition: {
    status: 409,
    desc: 'The instance cannot move to this state; only a new instance can.',
  },
  session_not_empty: { status: 409, desc: 'A player has a taken or held seat in the session.' },
  player_seated: { status: 409, desc: 'The player has a seat in a live session.' },
  player_id_taken: { status: 409, desc: 'The legacy id belongs to another player.' },
  audit_record_not_found: { status: 404, desc: 'There is no such audit record.' },
  sandbox_not_found: { status: 404, desc: 'There is no such sandbox.' },
  sandbox_archived: {
    status: 409,
    desc: 'The sandbox is archived and read-only: take it out of the archive first.',
  },
  sandbox_busy: {
    status: 409,
    desc: 'Another write to this sandbox takes its time, such as an import. Nothing was changed; try again in a moment.',
  },
  sandbox_protected: {
    status: 403,
    desc: 'The sandbox is protected: only who administers it may do this.',
  },
  sandbox_confirmation_required: {
    status: 409,
    desc: 'The sandbox is protected: confirm with its name, see sandbox_name.',
  },
  sandbox_exists: { status: 409, desc: 'There is a sandbox with this id.' },
  record_not_found: { status: 404, desc: 'There is no such record.' },
  record_exists: { status: 409, desc: 'There is a record with this id.' },
  record_deleted: { status: 409, desc: 'The record is deleted; restore it first.' },
  record_version_conflict: {
    status: 409,
    desc: 'The record has changed since it was read; see current_version.',
  },
  version_not_found: { status: 404, desc: 'The record has no such version.' },
  legacy_id_taken: {
    status: 409,
    desc: 'The legacy id belongs, or once belonged, to another record.',
  },
  edit_not_found: { status: 404, desc: 'The sandbox has no such edit.' },
  custom_data_invalid: {
    status: 422,
    desc: 'The custom data does not fit the schema of the item type; see detail.',
  },
  item_schema_conflict: {
    status: 409,
    desc: 'The schema has changed since it was read; see current_version.',
  },
  view_not_found: { status: 404, desc: 'The sandbox has no such view.' },
  too_many_views: { status: 409, desc: 'There are 100 views already: delete one first.' },
  change_set_not_found: { status: 404, desc: 'The sandbox has no such change set.' },
  change_set_exists: { status: 409, desc: 'There is a change set with this id.' },
  change_set_closed: {
    status: 409,
    desc: 'The state of the change set does not permit this; see state.',
  },
  change_set_revision_conflict: {
    status: 409,
    desc: 'The change set has changed since it was read; see current_revision.',
  },
  change_set_conflict: {
    status: 409,
    desc: 'Some operations of the change set cannot be applied. Nothing was changed.',
  },
  review_required: {
    status: 409,
    desc: 'The sandbox requires approvals. Nothing was changed: the change is in review as the change set in change_set_id.',
  },
  own_change: {
    status: 403,
    desc: 'Someone else has to approve the change set: you created or changed it.',
  },
  import_outdated: {
    status: 409,
    desc: 'The plan is no longer what would be done; make a new dry run.',
  },
  internal_error: {
    status: 500,
    desc: 'Something went wrong in the service. Quote the request id when you report it.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as [ErrorCode, ...ErrorCode[]];

/** The status of a failed join. The join has no 429: a caller over its rate limit gets 409. */
export const statusOfJoinError = (code: ErrorCode): number =>
  code === 'rate_limited' ? 409 : ERROR_CATALOGUE[code].status;

/** True for the codes that answer `auth_success: false`: clients then refresh their token and replay. */
export const isAuthenticationFailure = (code: ErrorCode): boolean =>
  'authFailed' in ERROR_CATALOGUE[code];

type Seconds = readonly [from: number, to: number];

const SOON: Seconds = [1, 3];
const LATER: Seconds = [5, 15];

/** Seconds until a retry makes sense: soon, or once a seat or an instance may have become free. */
const RETRY_AFTER: Partial<Record<ErrorCode, Seconds>> = {
  service_overloaded: SOON,
  service_unavailable: SOON,
  session_busy: SOON,
  rate_limited: SOON,
  team_full: LATER,
  session_full: LATER,
  instance_unjoinable: LATER,
  instance_closed: LATER,
  sandbox_busy: LATER,
};

/** The statuses that ask a client to retry: their responses have `Retry-After`. */
export const RETRIED_STATUSES: ReadonlySet<number> = new Set([409, 429, 503]);

/** Whether the same request may be accepted later without a change. */
export const hasRetryAfter = (code: ErrorCode): boolean => Object.hasOwn(RETRY_AFTER, code);

/** Whole seconds for `Retry-After`, drawn anew for each response, so that clients rejected together do not retry together. */
export const drawRetryAfter = (code: ErrorCode, random: () => number = Math.random): number => {
  const [from, to] = RETRY_AFTER[code] ?? SOON;
  return from + Math.floor(random() * (to - from + 1));
};

// Which codes the public endpoints answer with. The rest of the catalogue belongs to the admin API.

const EVERYWHERE = [
  'auth_missing',
  'auth_not_jwt',
  'auth_token_format',
  'auth_token_sig_invalid',
  'auth_token_expired',
  'auth_token_invalid_claim',
  'auth_token_unknown',
  'auth_token_too_large',
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
  'player_removed',
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
  'rate_limited',
  'body_compressed',
] as const satisfies readonly ErrorCode[];
export type JoinErrorCode = (typeof JOIN_ERROR_CODES)[number];

/** What a read of a session, or a player who leaves it, can be refused with. */
export const SESSION_ERROR_CODES = [
  ...EVERYWHERE,
  'session_not_found',
  'session_busy',
  'rate_limited',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];
export type SessionErrorCode = (typeof SESSION_ERROR_CODES)[number];

/** What the list of a player's sessions can be refused with. */
export const SESSION_LIST_ERROR_CODES = [
  ...EVERYWHERE,
  'rate_limited',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];
export type SessionListErrorCode = (typeof SESSION_LIST_ERROR_CODES)[number];

/** Answers to what is no HTTP request, or does not arrive in time, after which the connection ends: no endpoint declares them. */
const BEFORE_ANY_ROUTE = [
  'request_malformed',
  'request_timeout',
] as const satisfies readonly ErrorCode[];

/** Every code that a client of the public endpoints can meet. Later versions may add some. */
export const PUBLIC_ERROR_CODES: readonly ErrorCode[] = [
  ...new Set<ErrorCode>([...HISTORY_ERROR_CODES, ...JOIN_ERROR_CODES, ...BEFORE_ANY_ROUTE]),
];

/** The same for the companion endpoints. */
export const COMPANION_ERROR_CODES: readonly ErrorCode[] = [
  ...new Set<ErrorCode>([...SESSION_ERROR_CODES, ...SESSION_LIST_ERROR_CODES, ...BEFORE_ANY_ROUTE]),
];
