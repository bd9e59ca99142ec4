// Generated from contracts/openapi-admin.json by "npm run generate -w @muster/admin-client"; do not edit.

export type MeGetInput = Record<string, never>;

export type MeFindInput = Record<string, never>;

export type MeRenameInput = {
  /** A name with at least one visible character. White space at both ends is removed. */
  name: string;
};

export type MeSignInsInput = Record<string, never>;

export type MeIdentitiesInput = Record<string, never>;

export type MeEndSignInsInput = {
  /** The sign-in. Absent: all but the one that calls. */
  sign_in_id?: string | null | undefined;
};

export type PeopleListInput = Record<string, never>;

export type PeopleInviteInput = {
  /** The e-mail address with which the person signs in. */
  email: string;
  /** The role of the person. */
  role: 'viewer' | 'editor' | 'admin' | 'owner';
  /** Narrows it to these sandboxes. Absent: every sandbox. */
  sandbox_ids?: string[] | null | undefined;
};

export type PeopleRevokeInvitationInput = {
  /** The invitation. */
  invitation_id: string;
};

export type PeopleSetRoleInput = {
  /** The account. */
  account_id: string;
  /** The role of the person. */
  role: 'viewer' | 'editor' | 'admin' | 'owner';
  /** Narrows it to these sandboxes. Absent: every sandbox. */
  sandbox_ids?: string[] | null | undefined;
};

export type PeopleSetDisabledInput = {
  /** The account. */
  account_id: string;
  /** True ends every sign-in and refuses new ones. */
  disabled: boolean;
};

export type PeopleRemoveInput = {
  /** The account. */
  account_id: string;
};

export type PeopleIdentitiesInput = {
  /** The account. */
  account_id: string;
};

export type PeopleRemoveIdentityInput = {
  /** The account. */
  account_id: string;
  /** The identity of single sign-on. */
  identity_id: string;
};

export type PeopleResetPasswordInput = {
  /** The account. */
  account_id: string;
};

export type PeopleResetTwoFactorInput = {
  /** The account. */
  account_id: string;
};

export type InvitationsGetInput = {
  /** The token after `#token=` in the link of the invitation. */
  token: string;
};

export type InvitationsAcceptInput = {
  /** The token after `#token=` in the link of the invitation. */
  token: string;
  /** A name with at least one visible character. White space at both ends is removed. */
  name: string;
  /** A password of 12 to 128 characters that is not among the most common ones. */
  password: string;
};

export type KeysListInput = {
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type KeysUseInput = {
  /** The key. */
  key_id: string;
};

export type KeysCreateAccountInput = {
  /** A name with at least one visible character. White space at both ends is removed. */
  name: string;
};

export type KeysRemoveAccountInput = {
  /** The account. */
  account_id: string;
};

export type KeysCreateInput = {
  /** The account. */
  account_id: string;
  /** A name with at least one visible character. White space at both ends is removed. */
  name: string;
  /** What the key permits. A key cannot permit more than its maker. */
  permissions?: ('session:*' | 'session:view' | 'session:update-player:any' | 'session:update-player:self' | 'player:*' | 'player:view' | 'sandbox:*' | 'sandbox:config:view' | 'sandbox:config:edit' | 'audit:view' | 'metrics:view' | 'key:manage' | 'webhook:manage' | 'people:view' | 'people:manage' | '*')[] | null | undefined;
  /** Narrows it to these sandboxes. Absent: every sandbox. */
  sandbox_ids?: string[] | null | undefined;
  /** Absent: the key lasts until it is revoked. */
  expires_in_days?: number | null | undefined;
};

export type KeysRotateInput = {
  /** The key. */
  key_id: string;
  /** How long the old key stays valid. */
  grace_seconds?: number | null | undefined;
};

export type KeysRevokeInput = {
  /** The key. */
  key_id: string;
};

export type AccountsNamesInput = {
  /** The accounts to name. */
  account_ids: string[];
};

export type AccountsSignInMethodsInput = Record<string, never>;

export type AuditChoicesInput = Record<string, never>;

export type AuditGetInput = {
  /** The audit record. */
  audit_id: string;
};

export type AuditListInput = {
  /** The account. */
  account_id?: string | null | undefined;
  /** The procedure that made the change, such as `items.update`. */
  action?: string | null | undefined;
  /** The sandbox. */
  sandbox_id?: string | null | undefined;
  /** An id in the target of the change. */
  target?: string | null | undefined;
  /** This time or later. */
  from?: string | number | null | undefined;
  /** Before this time. */
  to?: string | number | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type PlayersRegisterInput = {
  /** The player. */
  player_uuid: string;
  /** Legacy id. It belongs to one player until that player is deleted. */
  player_id?: number | null | undefined;
  /** A name for people who look at sessions. Players never see it here. */
  display_name?: string | null | undefined;
};

export type PlayersDeleteInput = {
  /** The player. */
  player_uuid: string;
};

export type PlayersGetInput = {
  /** The player. */
  player_uuid: string;
};

export type PlayersNamesInput = {
  /** The players. */
  player_uuids: string[];
};

export type PlayersListInput = {
  /** A UUID, a legacy id, or a part of the name. */
  query?: string | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type PlayersCountInput = {
  /** A UUID, a legacy id, or a part of the name. */
  query?: string | null | undefined;
};

export type PlayersSessionsInput = {
  /** The player. */
  player_uuid: string;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type PlayersEventsInput = {
  /** The player. */
  player_uuid: string;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type RefusedJoinsListInput = {
  /** The player. */
  player_uuid?: string | null | undefined;
  platform?: Platform | null | undefined;
  /** Unique id of the platform session. The standard and the URL-safe alphabet, with and without padding, name the same one. */
  platform_session_id_base64?: string | null | undefined;
  /** Refusals with this code. */
  error_code?: 'platform_session_not_found' | 'session_not_joinable' | 'player_removed' | 'version_incompatible' | 'crossplay_incompatible' | 'team_full' | 'session_full' | 'instance_unjoinable' | 'instance_closed' | 'player_not_found' | 'insufficient_permissions' | 'input_invalid' | 'team_not_found' | 'session_too_large' | 'body_too_large' | 'body_compressed' | 'request_timeout' | 'session_busy' | 'internal_error' | null | undefined;
  /** This time or later. */
  from?: string | number | null | undefined;
  /** Before this time. */
  to?: string | number | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

/** A platform that players come from and that hosts platform sessions. */
export type Platform = 'Anon' | 'Basic' | 'XboxLive' | 'PSN' | 'NintendoNAID' | 'NintendoSwitch' | 'NintendoPPID' | 'Google' | 'GooglePlay' | 'Apple' | 'Epic' | 'Steam' | 'Amazon' | 'Twitch' | 'Muster' | 'LegacyName';

export type SessionTypeInput = {
  /** The session type. */
  type: string;
  version_match?: VersionMatch | null | undefined;
  /** The teams of sessions that are created without any. */
  default_teams?: DefaultTeam[] | null | undefined;
  /** Life of an invited seat; absent or null: it never expires. */
  invitation_ttl_seconds?: number | null | undefined;
  /** Life of a reserved seat; absent or null: it never expires. */
  reservation_ttl_seconds?: number | null | undefined;
  /** Life of the seat of a player marked absent; absent or null: it never expires. */
  absent_ttl_seconds?: number | null | undefined;
  /** How long an ended session and its events stay; absent or null: the service has a default of 30 days. */
  ended_retention_seconds?: number | null | undefined;
  /** Life of a session without seated players, from its creation or from the moment when the last player left; held seats do not keep it alive. Absent or null: it never expires. */
  idle_ttl_seconds?: number | null | undefined;
  /** Life of a session, with or without players, from its `created`; absent or null: it never expires. */
  max_age_seconds?: number | null | undefined;
  /** @deprecated Deprecated: the default of invitation_ttl_seconds and reservation_ttl_seconds. */
  held_seat_ttl_seconds?: number | null | undefined;
};

/** How much of the client's version must equal the instance's. */
export type VersionMatch = 'none' | 'major' | 'minor' | 'patch' | 'exact';

export type DefaultTeam = {
  team_id: number;
  max_size: number;
};

export type SessionTypesDeleteInput = {
  /** The session type. */
  type: string;
};

export type SessionTypesGetInput = {
  /** The session type. */
  type: string;
};

export type SessionTypesListInput = Record<string, never>;

export type SessionInput = {
  /** The session type. */
  type: string;
  /** Made by the service when absent. */
  session_id?: string | null | undefined;
  /** Whether players may join without an invitation. */
  joinable?: boolean | null | undefined;
  /** When absent, the session type's default teams. */
  teams?: TeamInput[] | null | undefined;
  /** The platform sessions through which players join. */
  platform_session?: PlatformSessionInput[] | null | undefined;
  /** The seats to hold. Their players are registered with the session. */
  players?: HeldSeatInput[] | null | undefined;
  instance?: InstanceInput | null | undefined;
  /** Absent: the time of the request. */
  created?: string | number | null | undefined;
  /** Preferred region. */
  region_id?: string | null | undefined;
  custom_data?: CustomData | null | undefined;
  browser?: Browser | null | undefined;
  match?: MatchInput | null | undefined;
  matchmaking?: Matchmaking | null | undefined;
  matchmaking_results?: MatchmakingResultsInput | null | undefined;
  backfill?: Backfill | null | undefined;
  /** Whether matchmaking made the session. */
  created_by_matchmaking?: boolean | null | undefined;
};

export type TeamInput = {
  /** When absent, the position of the team in the list, from 0. */
  team_id?: number | null | undefined;
  /** Number of seats, held ones included. */
  max_size: number;
  /** The tickets of the matchmaker. */
  ticket_ids?: string[] | null | undefined;
  custom_data?: CustomData | null | undefined;
  /** Accepted and ignored. */
  players?: unknown | undefined;
};

/** Strings by name, for games to use: at most 20 KiB of UTF-8 in all, keys and values together. */
export type CustomData = Record<string, string>;

export type PlatformSessionInput = {
  platform: Platform;
  /** The id of the platform's template. */
  platform_session_type: string;
  /** Unique id of the platform session. The standard and the URL-safe alphabet, with and without padding, name the same one. */
  platform_session_id_base64: string;
  custom_data?: CustomData | null | undefined;
  /** Accepted and ignored. */
  players?: unknown | undefined;
};

export type HeldSeatInput = {
  /** The player. */
  player_uuid: string;
  /** The team. */
  team_id: number;
  /** The state to list. */
  status?: 'invited' | 'reserved' | null | undefined;
  /** The player who invites, if one does. */
  inviting_player_uuid?: string | null | undefined;
  /** The session from which the player was invited. */
  source_session_id?: string | null | undefined;
  /** Legacy id. It belongs to one player until that player is deleted. */
  player_id?: number | null | undefined;
};

export type InstanceInput = {
  /** The allocation at the fleet that runs the instance. */
  allocation_id?: string | null | undefined;
  /** Unique id of the relationship of host and session. */
  instance_id: string;
  host_type: HostType;
  /** When the host type is player. */
  host_player_id?: number | null | undefined;
  /** When the host type is player. */
  host_player_uuid?: string | null | undefined;
  /** The process on a dedicated server. */
  host_dedicated_process_id?: string | null | undefined;
  /** The dedicated server. */
  host_dedicated_server_id?: string | null | undefined;
  join_status: JoinStatus;
  join_params?: JoinParams | null | undefined;
  instance_startup_params?: InstanceStartupParams | null | undefined;
  /** Client version of the product, which the versions of joining players are held against. */
  version?: string | null | undefined;
  custom_data?: CustomData | null | undefined;
  instance_health?: InstanceHealth | null | undefined;
  /** Profile that the instance was spawned from. */
  match_making_profile_id?: string | null | undefined;
  /** The match, by the id of the matchmaker. */
  match_id?: string | null | undefined;
  /** Absent: the time of the request. */
  created?: string | number | null | undefined;
};

/** How the instance is hosted. */
export type HostType = 'dedicated' | 'player' | 'preallocated';

/** Whether the instance takes players now. While it is unjoinable, and once it is closed, joins of players without a seat are refused. Once it is closed, seated players keep their seats but cannot change teams. A closed instance never opens again, but the session may get a new one. */
export type JoinStatus = 'requested' | 'allocated' | 'pending' | 'joinable' | 'unjoinable' | 'closed';

/** How a client connects to the instance. */
export type JoinParams = {
  public_conn_str: string;
  private_conn_str: string;
  custom_data?: CustomData | null | undefined;
};

/** What the instance was started with. */
export type InstanceStartupParams = {
  map: string;
  mode?: string | null | undefined;
  /** Extra command-line parameters. */
  misc_params: string;
  custom_data?: CustomData | null | undefined;
};

/** How well the instance does. */
export type InstanceHealth = 'healthy' | 'unhealthy' | 'degraded' | 'unknown';

/** Listing data in the session browser. */
export type Browser = {
  custom_data?: CustomData | null | undefined;
};

export type MatchInput = {
  /** The match, by the id of the matchmaker. */
  match_id: string;
  custom_data?: CustomData | null | undefined;
  /** The tickets of the matchmaker. */
  ticket_ids?: string[] | null | undefined;
  /** Absent: the time of the request. */
  created?: string | number | null | undefined;
};

/** Present while the session is matchmaking. */
export type Matchmaking = {
  /** Id of this matchmaking attempt. */
  ticket_id: string;
  custom_data?: CustomData | null | undefined;
  queue_id?: string | null | undefined;
};

export type MatchmakingResultsInput = {
  /** The matchmaking run. */
  match_making_id: string;
  custom_data?: CustomData | null | undefined;
  /** The tickets of the matchmaker. */
  ticket_ids?: string[] | null | undefined;
  /** Whether the tickets of these results were assigned. */
  tickets_assigned?: boolean | null | undefined;
  /** Absent: the time of the request. */
  created?: string | number | null | undefined;
};

/** The request that looks for more players. */
export type Backfill = {
  backfill_id: string;
  /** Used when acknowledging backfill requests. */
  extensions?: CustomData | null | undefined;
};

export type SessionsCreateManyInput = {
  /** The sessions to create. */
  sessions: SessionInput[];
};

export type SessionsGetInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The last ETag, with its quotes. If it is current, the result is `unchanged`. */
  if_none_match?: string | null | undefined;
  /** True for ended sessions instead of live ones. */
  ended?: boolean | null | undefined;
};

export type SessionsFindInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The last ETag, with its quotes. If it is current, the result is `unchanged`. */
  if_none_match?: string | null | undefined;
};

export type SessionsWatchInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The last ETag, with its quotes. If it is current, the result is `unchanged`. */
  if_none_match?: string | null | undefined;
  /** How long to wait for a change when `if_none_match` is the current ETag. */
  wait_seconds?: number | null | undefined;
};

export type SessionsListInput = {
  /** The session type. */
  type?: string | null | undefined;
  platform?: Platform | null | undefined;
  /** The player. */
  player_uuid?: string | null | undefined;
  /** Whether players may join without an invitation. */
  joinable?: boolean | null | undefined;
  /** `empty` has no seats, `open` has room (`empty` included), `full` has none. Held seats count. */
  fill?: 'empty' | 'open' | 'full' | null | undefined;
  join_status?: JoinStatus | null | undefined;
  instance_health?: InstanceHealth | null | undefined;
  /** Sessions that were created at this time or later. */
  created_from?: string | number | null | undefined;
  /** Sessions that were created before this time. */
  created_to?: string | number | null | undefined;
  /** Sessions that no player has joined or left for this long. Before the first join, the creation counts. */
  idle_seconds?: number | null | undefined;
  /** True: sessions with a seated player who is marked absent. False: the others. */
  has_absent?: boolean | null | undefined;
  /** True for ended sessions instead of live ones. */
  ended?: boolean | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type SessionsCountInput = {
  /** The session type. */
  type?: string | null | undefined;
  platform?: Platform | null | undefined;
  /** The player. */
  player_uuid?: string | null | undefined;
  /** Whether players may join without an invitation. */
  joinable?: boolean | null | undefined;
  /** `empty` has no seats, `open` has room (`empty` included), `full` has none. Held seats count. */
  fill?: 'empty' | 'open' | 'full' | null | undefined;
  join_status?: JoinStatus | null | undefined;
  instance_health?: InstanceHealth | null | undefined;
  /** Sessions that were created at this time or later. */
  created_from?: string | number | null | undefined;
  /** Sessions that were created before this time. */
  created_to?: string | number | null | undefined;
  /** Sessions that no player has joined or left for this long. Before the first join, the creation counts. */
  idle_seconds?: number | null | undefined;
  /** True: sessions with a seated player who is marked absent. False: the others. */
  has_absent?: boolean | null | undefined;
  /** True for ended sessions instead of live ones. */
  ended?: boolean | null | undefined;
};

export type SessionsUpdateInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  /** Whether players may join without an invitation. */
  joinable?: boolean | null | undefined;
  /** The teams with their sizes. */
  teams?: TeamInput[] | null | undefined;
  /** Preferred region. */
  region_id?: string | null | undefined;
  custom_data?: CustomData | null | undefined;
  browser?: Browser | null | undefined;
  match?: MatchInput | null | undefined;
  matchmaking?: Matchmaking | null | undefined;
  matchmaking_results?: MatchmakingResultsInput | null | undefined;
  backfill?: Backfill | null | undefined;
  /** Whether matchmaking made the session. */
  created_by_matchmaking?: boolean | null | undefined;
  /** Accepted and ignored. */
  created?: unknown | undefined;
};

export type SessionsAddPlatformSessionInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  platform: Platform;
  /** The id of the platform's template. */
  platform_session_type: string;
  /** Unique id of the platform session. The standard and the URL-safe alphabet, with and without padding, name the same one. */
  platform_session_id_base64: string;
  custom_data?: CustomData | null | undefined;
  /** Accepted and ignored. */
  players?: unknown | undefined;
  /** True replaces the content of a registered platform session. Otherwise other content is `platform_session_exists`. */
  replace?: boolean | null | undefined;
};

export type SessionsRemovePlatformSessionInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  platform: Platform;
  /** Unique id of the platform session. The standard and the URL-safe alphabet, with and without padding, name the same one. */
  platform_session_id_base64: string;
};

export type SessionsSetInstanceInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  instance: InstanceInput | null;
};

export type SessionsSetInstanceStatusInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  join_status?: JoinStatus | null | undefined;
  instance_health?: InstanceHealth | null | undefined;
};

export type SessionsInvitePlayerInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  /** The player. */
  player_uuid: string;
  /** The team. */
  team_id: number;
  /** `reserved` is for a player who is expected, such as the rest of a party. */
  status?: 'invited' | 'reserved' | null | undefined;
  /** The player who invites, if one does. */
  inviting_player_uuid?: string | null | undefined;
  /** The session from which the player was invited. */
  source_session_id?: string | null | undefined;
  /** Legacy id. It belongs to one player until that player is deleted. */
  player_id?: number | null | undefined;
  /** True counts the life of the seat from this call instead of the first invitation. */
  renew?: boolean | null | undefined;
};

export type SessionsInvitePlayersInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  /** The players whose seats are held, each once. */
  players: HeldSeatInput[];
  /** True counts the life of the seat from this call instead of the first invitation. */
  renew?: boolean | null | undefined;
};

export type SessionsSwapPlayersInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  /** The players. */
  player_uuids: string[];
};

export type SessionsRemovePlayerInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  /** The player. */
  player_uuid: string;
  /** Refuses every join of the player until a new invitation. */
  prevent_rejoin?: boolean | null | undefined;
};

export type SessionsMovePlayerInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  /** The player. */
  player_uuid: string;
  /** The team. */
  team_id: number;
};

export type SessionsPromotePlayerInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  /** The player. */
  player_uuid: string;
};

export type SessionsSetPresenceInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  /** The player. */
  player_uuid: string;
  /** False marks the player absent, true removes the mark. */
  present: boolean;
};

export type SessionsEndInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
  /** The reason, kept in the audit trail. */
  reason?: string | null | undefined;
  /** Ends the session only when it has no taken or held seat. */
  if_empty?: boolean | null | undefined;
};

export type SessionsEndMatchingInput = {
  /** The session type. */
  type?: string | null | undefined;
  platform?: Platform | null | undefined;
  /** The player. */
  player_uuid?: string | null | undefined;
  /** Whether players may join without an invitation. */
  joinable?: boolean | null | undefined;
  /** `empty` has no seats, `open` has room (`empty` included), `full` has none. Held seats count. */
  fill?: 'empty' | 'open' | 'full' | null | undefined;
  join_status?: JoinStatus | null | undefined;
  instance_health?: InstanceHealth | null | undefined;
  /** Sessions that were created at this time or later. */
  created_from?: string | number | null | undefined;
  /** Sessions that were created before this time. */
  created_to?: string | number | null | undefined;
  /** Sessions that no player has joined or left for this long. Before the first join, the creation counts. */
  idle_seconds?: number | null | undefined;
  /** True: sessions with a seated player who is marked absent. False: the others. */
  has_absent?: boolean | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
  /** The reason, kept in the audit trail. */
  reason?: string | null | undefined;
};

export type SessionsDeleteInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`. */
  expected_etag?: string | null | undefined;
};

export type SessionsTryJoinInput = {
  /** The platform in the path of the join. */
  platform: string;
  /** The id of the platform session. */
  platform_session_id_base64: string;
  /** The player. */
  player_uuid: string;
  /** The query `player_id` of the join. */
  player_id?: number | string | null | undefined;
  /** The body of the join, as a game would send it. */
  body?: unknown | undefined;
};

export type SessionsEventsInput = {
  /** The session type. */
  type: string;
  /** The session; unique within its type. */
  session_id: string;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type EventsListInput = {
  /** The `page_meta.cursor` of the page before. Without it, the feed begins with the oldest event. */
  cursor?: string | null | undefined;
  /** Only events of sessions of this type. */
  session_type?: string | null | undefined;
  /** Only events of these kinds. */
  kinds?: ('session_created' | 'session_updated' | 'session_full' | 'session_ended' | 'instance_set' | 'platform_session_added' | 'platform_session_removed' | 'player_invited' | 'player_joined' | 'player_updated' | 'player_removed' | 'player_left' | 'player_moved' | 'player_absent' | 'player_present' | 'leader_changed' | 'seat_expired' | 'join_refused' | 'catalogue_edited' | 'change_set_applied' | 'change_set_failed' | 'webhook_disabled')[] | null | undefined;
  /** How long to wait for an event when there is none. */
  wait_seconds?: number | null | undefined;
};

export type WebhooksListInput = Record<string, never>;

export type WebhooksGetInput = {
  /** The webhook. */
  webhook_id: string;
};

export type WebhooksCreateInput = {
  /** An https URL of a public host. */
  url: string;
  /** The kinds of events to send. `audit_recorded` cannot be combined with other kinds. */
  kinds: ('session_created' | 'session_updated' | 'session_full' | 'session_ended' | 'instance_set' | 'platform_session_added' | 'platform_session_removed' | 'player_invited' | 'player_joined' | 'player_updated' | 'player_removed' | 'player_left' | 'player_moved' | 'player_absent' | 'player_present' | 'leader_changed' | 'seat_expired' | 'join_refused' | 'catalogue_edited' | 'change_set_applied' | 'change_set_failed' | 'webhook_disabled' | 'audit_recorded')[];
};

export type WebhooksUpdateInput = {
  /** The webhook. */
  webhook_id: string;
  /** The version on which the change is based. Another one is `webhook_version_conflict`. */
  expected_version: number;
  /** An https URL of a public host. */
  url?: string | null | undefined;
  /** The kinds of events to send. `audit_recorded` cannot be combined with other kinds. */
  kinds?: ('session_created' | 'session_updated' | 'session_full' | 'session_ended' | 'instance_set' | 'platform_session_added' | 'platform_session_removed' | 'player_invited' | 'player_joined' | 'player_updated' | 'player_removed' | 'player_left' | 'player_moved' | 'player_absent' | 'player_present' | 'leader_changed' | 'seat_expired' | 'join_refused' | 'catalogue_edited' | 'change_set_applied' | 'change_set_failed' | 'webhook_disabled' | 'audit_recorded')[] | null | undefined;
};

export type WebhooksRotateSecretInput = {
  /** The webhook. */
  webhook_id: string;
  /** How long the previous secret signs as well. */
  overlap_seconds?: number | null | undefined;
};

export type WebhooksEnableInput = {
  /** The webhook. */
  webhook_id: string;
};

export type WebhooksDisableInput = {
  /** The webhook. */
  webhook_id: string;
};

export type WebhooksDeleteInput = {
  /** The webhook. */
  webhook_id: string;
};

export type WebhooksTestInput = {
  /** The webhook. */
  webhook_id: string;
};

export type WebhooksListDeliveriesInput = {
  /** The webhook. */
  webhook_id: string;
  /** The state to list. */
  status?: 'pending' | 'delivered' | 'failed' | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type WebhooksResendInput = {
  /** The webhook. */
  webhook_id: string;
  /** The delivery. */
  delivery_id: string;
};

export type WebhooksResumeInput = {
  /** The webhook. */
  webhook_id: string;
  /** Events from this moment on are sent again. */
  from: string | number;
};

export type SandboxesCreateInput = {
  /** A name with at least one visible character. White space at both ends is removed. */
  name: string;
  /** Made by the service when absent. */
  sandbox_id?: string | null | undefined;
};

export type SandboxesUpdateInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** A name with at least one visible character. White space at both ends is removed. */
  name?: string | null | undefined;
  /** Whether destructive changes need the name of the sandbox. */
  protected?: boolean | null | undefined;
  /** How many people have to approve a change before it is written. */
  required_approvals?: number | null | undefined;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
};

export type SandboxesArchiveInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
};

export type SandboxesUnarchiveInput = {
  /** The sandbox. */
  sandbox_id: string;
};

export type SandboxesDeleteInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
};

export type SandboxesRestoreInput = {
  /** The sandbox. */
  sandbox_id: string;
};

export type SandboxesPurgeInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
};

export type SandboxesGetInput = {
  /** The sandbox. */
  sandbox_id: string;
};

export type SandboxesListInput = {
  /** Deleted sandboxes need `sandbox:*`. */
  status?: 'active' | 'archived' | 'deleted' | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type ItemsCreateInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Made by the service when absent. */
  item_id?: string | null | undefined;
  /** Id in an older catalogue. */
  legacy_item_id?: number | null | undefined;
  /** A name with at least one visible character. White space at both ends is removed. */
  name: string;
  /** Shown to the people who edit the record. */
  description?: string | null | undefined;
  item_type: ItemType;
  /** Labels by which Items are found. */
  tags?: string[] | null | undefined;
  /** The Xp table that levels this Item. */
  level_xp_table_id?: string | null | undefined;
  custom_data?: CustomData | null | undefined;
  /** The reason, shown with the version. */
  reason?: string | null | undefined;
};

/** The kind of an Item. */
export type ItemType = 'unit' | 'recipe' | 'recipe_with_price_reduction' | 'entitlement';

export type ItemsUpdateInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The Item. */
  item_id: string;
  /** The version on which the edit is based. */
  expected_version: number;
  /** The reason, shown with the version. */
  reason?: string | null | undefined;
  /** Id in an older catalogue. */
  legacy_item_id?: number | null | undefined;
  /** A name with at least one visible character. White space at both ends is removed. */
  name?: string | null | undefined;
  /** Shown to the people who edit the record. */
  description?: string | null | undefined;
  item_type?: ItemType | null | undefined;
  /** Labels by which Items are found. */
  tags?: string[] | null | undefined;
  /** The Xp table that levels this Item. */
  level_xp_table_id?: string | null | undefined;
  custom_data?: CustomData | null | undefined;
};

export type ItemsDeleteInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The Item. */
  item_id: string;
  /** The version on which the edit is based. */
  expected_version: number;
  /** The reason, shown with the version. */
  reason?: string | null | undefined;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
};

export type ItemsRestoreInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The Item. */
  item_id: string;
  /** The version on which the edit is based. */
  expected_version: number;
  /** The reason, shown with the version. */
  reason?: string | null | undefined;
  /** The version to return to. Absent: undeletes the record. */
  version_id?: string | null | undefined;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
};

export type ItemsBulkInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
  /** The operations, in order. All are written, or none. */
  operations: ({
    /** The Item. */
    item_id?: string | undefined;
    /** Id in an older catalogue. */
    legacy_item_id?: number | undefined;
    /** A name with at least one visible character. White space at both ends is removed. */
    name: string;
    /** Shown to the people who edit the record. */
    description?: string | undefined;
    item_type: ItemType;
    /** Labels by which Items are found. */
    tags?: string[] | undefined;
    /** The Xp table that levels this Item. */
    level_xp_table_id?: string | undefined;
    custom_data?: CustomData | undefined;
    /** The reason, shown with the version. */
    reason?: string | undefined;
    /** What the operation does. */
    operation: 'create';
  } | {
    /** The Item. */
    item_id: string;
    /** The version on which the edit is based. */
    expected_version: number;
    /** The reason, shown with the version. */
    reason?: string | undefined;
    /** Id in an older catalogue. */
    legacy_item_id?: number | null | undefined;
    /** A name with at least one visible character. White space at both ends is removed. */
    name?: string | undefined;
    /** Shown to the people who edit the record. */
    description?: string | null | undefined;
    item_type?: ItemType | undefined;
    /** Labels by which Items are found. */
    tags?: string[] | undefined;
    /** The Xp table that levels this Item. */
    level_xp_table_id?: string | null | undefined;
    custom_data?: CustomData | undefined;
    /** What the operation does. */
    operation: 'update';
  } | {
    /** The Item. */
    item_id: string;
    /** The version on which the edit is based. */
    expected_version: number;
    /** The reason, shown with the version. */
    reason?: string | undefined;
    /** What the operation does. */
    operation: 'delete';
  } | {
    /** The Item. */
    item_id: string;
    /** The version on which the edit is based. */
    expected_version: number;
    /** The reason, shown with the version. */
    reason?: string | undefined;
    /** The version. */
    version_id?: string | undefined;
    /** What the operation does. */
    operation: 'restore';
  })[];
  /** For every operation without its own reason. */
  reason?: string | null | undefined;
};

export type ItemsGetInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The Item. */
  item_id: string;
};

export type ItemsListInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Contained in the name, case-insensitive. */
  name?: string | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
  /** Lists deleted records as well. */
  include_deleted?: boolean | null | undefined;
  /** The trash. */
  only_deleted?: boolean | null | undefined;
  /** A key of custom_data. */
  custom_key?: string | null | undefined;
  /** The direction of the sort. */
  order?: 'asc' | 'desc' | null | undefined;
  item_type?: ItemType | null | undefined;
  /** Items with this whole tag. */
  tag?: string | null | undefined;
  /** A filter by value, with at most 10 conditions. */
  where?: {
    /** All of these are true. */
    and?: RecordCondition[] | undefined;
    /** At least one of these is true, besides all of `and`. */
    or?: RecordCondition[] | undefined;
  } | null | undefined;
  /** The column by which the list is sorted. */
  sort?: 'name' | 'item_type' | 'version' | 'updated' | string | null | undefined;
};

/** A comparison of one field of a record. */
export type RecordCondition = {
  /** A field of the record, or `custom_data.` and a key. */
  field: string;
  /** Text is compared without case: names in every script, other text for the letters A to Z only.
- `eq`, `ne`: the field has or does not have this value. A record without the field matches `ne`. Numbers are compared as numbers if both sides are numbers.
- `gt`, `gte`, `lt`, `lte`: a number compares with numbers only, a date with dates, any other text by its code points.
- `contains`, `starts_with`: the text contains this text, or begins with it.
- `has`, `has_not`: a list has or does not have this element.
- `is_empty`, `is_not_empty`: the field has no value, or an empty text or list; or it has one.
- `is_true`, `is_false`: the value of custom data is `true` or `false`. */
  op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'starts_with' | 'is_empty' | 'is_not_empty' | 'has' | 'has_not' | 'is_true' | 'is_false';
  /** What the field is compared with. Numbers are written in digits. Absent for `is_empty`, `is_not_empty`, `is_true` and `is_false`. */
  value?: string | null | undefined;
};

export type XpCreateInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Made by the service when absent. */
  xp_id?: string | null | undefined;
  /** Id in an older catalogue. */
  legacy_xp_id?: number | null | undefined;
  /** A name with at least one visible character. White space at both ends is removed. */
  name: string;
  /** Shown to the people who edit the record. */
  description?: string | null | undefined;
  /** Strictly increasing in level and in xp. */
  xp_thresholds: XpThreshold[];
  custom_data?: CustomData | null | undefined;
  /** The reason, shown with the version. */
  reason?: string | null | undefined;
};

/** The experience that a level begins at. */
export type XpThreshold = {
  level: number;
  xp: number;
};

export type XpUpdateInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The Xp table. */
  xp_id: string;
  /** The version on which the edit is based. */
  expected_version: number;
  /** The reason, shown with the version. */
  reason?: string | null | undefined;
  /** Id in an older catalogue. */
  legacy_xp_id?: number | null | undefined;
  /** A name with at least one visible character. White space at both ends is removed. */
  name?: string | null | undefined;
  /** Shown to the people who edit the record. */
  description?: string | null | undefined;
  /** Strictly increasing in level and in xp. */
  xp_thresholds?: XpThreshold[] | null | undefined;
  custom_data?: CustomData | null | undefined;
};

export type XpDeleteInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The Xp table. */
  xp_id: string;
  /** The version on which the edit is based. */
  expected_version: number;
  /** The reason, shown with the version. */
  reason?: string | null | undefined;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
};

export type XpRestoreInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The Xp table. */
  xp_id: string;
  /** The version on which the edit is based. */
  expected_version: number;
  /** The reason, shown with the version. */
  reason?: string | null | undefined;
  /** The version to return to. Absent: undeletes the record. */
  version_id?: string | null | undefined;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
};

export type XpBulkInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
  /** The operations, in order. All are written, or none. */
  operations: ({
    /** The Xp table. */
    xp_id?: string | undefined;
    /** Id in an older catalogue. */
    legacy_xp_id?: number | undefined;
    /** A name with at least one visible character. White space at both ends is removed. */
    name: string;
    /** Shown to the people who edit the record. */
    description?: string | undefined;
    /** Strictly increasing in level and in xp. */
    xp_thresholds: XpThreshold[];
    custom_data?: CustomData | undefined;
    /** The reason, shown with the version. */
    reason?: string | undefined;
    /** What the operation does. */
    operation: 'create';
  } | {
    /** The Xp table. */
    xp_id: string;
    /** The version on which the edit is based. */
    expected_version: number;
    /** The reason, shown with the version. */
    reason?: string | undefined;
    /** Id in an older catalogue. */
    legacy_xp_id?: number | null | undefined;
    /** A name with at least one visible character. White space at both ends is removed. */
    name?: string | undefined;
    /** Shown to the people who edit the record. */
    description?: string | null | undefined;
    /** Strictly increasing in level and in xp. */
    xp_thresholds?: XpThreshold[] | undefined;
    custom_data?: CustomData | undefined;
    /** What the operation does. */
    operation: 'update';
  } | {
    /** The Xp table. */
    xp_id: string;
    /** The version on which the edit is based. */
    expected_version: number;
    /** The reason, shown with the version. */
    reason?: string | undefined;
    /** What the operation does. */
    operation: 'delete';
  } | {
    /** The Xp table. */
    xp_id: string;
    /** The version on which the edit is based. */
    expected_version: number;
    /** The reason, shown with the version. */
    reason?: string | undefined;
    /** The version. */
    version_id?: string | undefined;
    /** What the operation does. */
    operation: 'restore';
  })[];
  /** For every operation without its own reason. */
  reason?: string | null | undefined;
};

export type XpGetInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The Xp table. */
  xp_id: string;
};

export type XpListInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Contained in the name, case-insensitive. */
  name?: string | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
  /** Lists deleted records as well. */
  include_deleted?: boolean | null | undefined;
  /** The trash. */
  only_deleted?: boolean | null | undefined;
  /** A key of custom_data. */
  custom_key?: string | null | undefined;
  /** The direction of the sort. */
  order?: 'asc' | 'desc' | null | undefined;
  /** A filter by value, with at most 10 conditions. */
  where?: {
    /** All of these are true. */
    and?: RecordCondition[] | undefined;
    /** At least one of these is true, besides all of `and`. */
    or?: RecordCondition[] | undefined;
  } | null | undefined;
  /** The column by which the list is sorted. */
  sort?: 'name' | 'levels' | 'top' | 'version' | 'updated' | string | null | undefined;
};

export type ItemSchemasListInput = {
  /** The sandbox. */
  sandbox_id: string;
};

export type ItemSchemasGetInput = {
  /** The sandbox. */
  sandbox_id: string;
  item_type: ItemType;
};

export type ItemSchemasSetInput = {
  /** The sandbox. */
  sandbox_id: string;
  item_type: ItemType;
  /** The fields in the order of the form. An empty list removes the schema. */
  fields: ItemSchemaField[];
  /** The version on which the change is based; 0 without a schema. */
  expected_version: number;
  /** The reason, shown with the version. */
  reason?: string | null | undefined;
};

/** A key of custom data, and the values that fit. */
export type ItemSchemaField = {
  /** A key of custom data. */
  key: string;
  /** `number` and `integer` are decimal digits, `boolean` is `true` or `false`, `date` is a day or a date-time with a time zone, `reference` is the id of an Item or of an Xp table, `colour` is `#rrggbb` or `#rrggbbaa`. */
  type: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'date' | 'reference' | 'colour' | 'url';
  /** Whether new Items must have the key, and whether edits may not remove it. */
  required?: boolean | null | undefined;
  /** Shown instead of the key. */
  label?: string | null | undefined;
  /** What forms enter for a new Item. The API does not add it. */
  default?: string | null | undefined;
  /** The values of a `choice`. */
  choices?: string[] | null | undefined;
  /** Whether a `reference` names an Item or an Xp table. */
  references?: 'item' | 'xp' | null | undefined;
};

export type ItemSchemasPromoteInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The sandbox to copy from. `sandbox_id` is the target. */
  source_sandbox_id: string;
  item_type: ItemType;
  /** The version on which the change is based; 0 without a schema. */
  expected_version: number;
  /** The version to copy. */
  expected_source_version: number;
  /** The reason, shown with the version. */
  reason?: string | null | undefined;
};

export type ItemSchemasHistoryInput = {
  /** The sandbox. */
  sandbox_id: string;
  item_type: ItemType;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type ItemSchemasProblemsInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Absent: Items of every type. */
  item_type?: ItemType | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type VersionsListInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Items or Xp tables. */
  kind?: 'item' | 'xp' | null | undefined;
  /** The Item or the Xp table. */
  record_id?: string | null | undefined;
  /** The account. */
  account_id?: string | null | undefined;
  operation?: HistoryOperation | null | undefined;
  /** Versions that one edit wrote together. */
  transaction_id?: string | null | undefined;
  /** Contained in any name that the record has had, case-insensitive. */
  name?: string | null | undefined;
  /** Versions that changed this field. */
  changed_field?: 'legacy_item_id' | 'legacy_xp_id' | 'name' | 'description' | 'item_type' | 'tags' | 'level_xp_table_id' | 'xp_thresholds' | 'custom_data' | null | undefined;
  /** This time or later. */
  from?: string | number | null | undefined;
  /** Not included. */
  to?: string | number | null | undefined;
  /** `desc` lists the newest first. */
  sort_order?: 'asc' | 'desc' | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

/** restore: undelete, or return to an older version. */
export type HistoryOperation = 'insert' | 'update' | 'delete' | 'restore';

export type VersionsGetInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The version. */
  version_id: string;
};

export type VersionsDiffInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The version to compare with. Absent: the version before. */
  from_version_id?: string | null | undefined;
  /** The version to compare. */
  to_version_id: string;
};

export type EditsListInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type EditsRevertInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Versions that one edit wrote together. */
  transaction_id: string;
  /** What the changes are for. */
  title?: string | null | undefined;
  /** The reason, shown with the versions. */
  reason?: string | null | undefined;
};

export type ChangeSetsCreateInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Made by the service when absent. */
  change_set_id?: string | null | undefined;
  /** What the changes are for. */
  title: string;
  /** The reason, shown with the versions. */
  reason?: string | null | undefined;
};

export type ChangeSetsGetInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
};

export type ChangeSetsListInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Only change sets in this state. */
  state?: 'draft' | 'in_review' | 'approved' | 'rejected' | 'scheduled' | 'applied' | 'reverted' | 'conflicted' | 'cancelled' | 'failed' | null | undefined;
  /** Whether the set has a failure that is not acknowledged yet. */
  needs_attention?: boolean | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type ChangeSetsUpdateInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** What the changes are for. */
  title?: string | null | undefined;
  /** The reason, shown with the versions. */
  reason?: string | null | undefined;
  /** The `revision` of the change set on which the call is based. */
  expected_revision: number;
};

export type ChangeSetsAddOperationsInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `revision` of the change set on which the call is based. */
  expected_revision?: number | null | undefined;
  /** One for each record. A later operation replaces an earlier one. */
  operations: ({
    /** The Item. For a create, made by the service when absent. */
    item_id?: string | undefined;
    /** Id in an older catalogue. */
    legacy_item_id?: number | undefined;
    /** A name with at least one visible character. White space at both ends is removed. */
    name: string;
    /** Shown to the people who edit the record. */
    description?: string | undefined;
    item_type: ItemType;
    /** Labels by which Items are found. */
    tags?: string[] | undefined;
    /** The Xp table that levels this Item. */
    level_xp_table_id?: string | undefined;
    custom_data?: CustomData | undefined;
    /** Items or Xp tables. */
    kind: 'item';
    /** What the operation does. */
    operation: 'create';
  } | {
    /** The Item. For a create, made by the service when absent. */
    item_id: string;
    /** Items or Xp tables. */
    kind: 'item';
    /** The version on which the edit is based. */
    expected_version: number;
    /** Id in an older catalogue. */
    legacy_item_id?: number | null | undefined;
    /** A name with at least one visible character. White space at both ends is removed. */
    name?: string | undefined;
    /** Shown to the people who edit the record. */
    description?: string | null | undefined;
    item_type?: ItemType | undefined;
    /** Labels by which Items are found. */
    tags?: string[] | undefined;
    /** The Xp table that levels this Item. */
    level_xp_table_id?: string | null | undefined;
    custom_data?: CustomData | undefined;
    /** What the operation does. */
    operation: 'update';
  } | {
    /** The Item. For a create, made by the service when absent. */
    item_id: string;
    /** Items or Xp tables. */
    kind: 'item';
    /** The version on which the edit is based. */
    expected_version: number;
    /** What the operation does. */
    operation: 'delete';
  } | {
    /** The Item. For a create, made by the service when absent. */
    item_id: string;
    /** Items or Xp tables. */
    kind: 'item';
    /** The version on which the edit is based. */
    expected_version: number;
    /** The version to return to. Absent: undeletes the record. */
    version_id?: string | undefined;
    /** What the operation does. */
    operation: 'restore';
  } | {
    /** The Xp table. For a create, made by the service when absent. */
    xp_id?: string | undefined;
    /** Id in an older catalogue. */
    legacy_xp_id?: number | undefined;
    /** A name with at least one visible character. White space at both ends is removed. */
    name: string;
    /** Shown to the people who edit the record. */
    description?: string | undefined;
    /** Strictly increasing in level and in xp. */
    xp_thresholds: XpThreshold[];
    custom_data?: CustomData | undefined;
    /** Items or Xp tables. */
    kind: 'xp';
    /** What the operation does. */
    operation: 'create';
  } | {
    /** The Xp table. For a create, made by the service when absent. */
    xp_id: string;
    /** Items or Xp tables. */
    kind: 'xp';
    /** The version on which the edit is based. */
    expected_version: number;
    /** Id in an older catalogue. */
    legacy_xp_id?: number | null | undefined;
    /** A name with at least one visible character. White space at both ends is removed. */
    name?: string | undefined;
    /** Shown to the people who edit the record. */
    description?: string | null | undefined;
    /** Strictly increasing in level and in xp. */
    xp_thresholds?: XpThreshold[] | undefined;
    custom_data?: CustomData | undefined;
    /** What the operation does. */
    operation: 'update';
  } | {
    /** The Xp table. For a create, made by the service when absent. */
    xp_id: string;
    /** Items or Xp tables. */
    kind: 'xp';
    /** The version on which the edit is based. */
    expected_version: number;
    /** What the operation does. */
    operation: 'delete';
  } | {
    /** The Xp table. For a create, made by the service when absent. */
    xp_id: string;
    /** Items or Xp tables. */
    kind: 'xp';
    /** The version on which the edit is based. */
    expected_version: number;
    /** The version to return to. Absent: undeletes the record. */
    version_id?: string | undefined;
    /** What the operation does. */
    operation: 'restore';
  })[];
};

export type ChangeSetsAddMatchingInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `revision` of the change set on which the call is based. */
  expected_revision?: number | null | undefined;
  /** Which records are changed, and how. */
  matching: {
    /** Items or Xp tables. */
    kind: 'item';
    /** The ids of the records, instead of a filter. */
    ids?: string[] | undefined;
    /** All records that the list shows with this filter. Either this or `ids`. */
    filter?: {
      /** Contained in the name, case-insensitive. */
      name?: string | undefined;
      /** Lists deleted records as well. */
      include_deleted?: boolean | undefined;
      /** The trash. */
      only_deleted?: boolean | undefined;
      /** A key of custom_data. */
      custom_key?: string | undefined;
      item_type?: ItemType | undefined;
      /** Items with this whole tag. */
      tag?: string | undefined;
      /** A filter by value, with at most 10 conditions. */
      where?: {
        /** All of these are true. */
        and?: RecordCondition[] | undefined;
        /** At least one of these is true, besides all of `and`. */
        or?: RecordCondition[] | undefined;
      } | undefined;
    } | undefined;
    /** What the operation does. */
    operation: 'update';
    /** Applied to each record, one after the other.
- `set`, `clear`: sets or removes the value of a field.
- `add`, `multiply`, `add_percent`: computes a number of custom data exactly. The result has at least as many digits after the point as the old value, unless it is rounded.
- `replace_text`: replaces a text within the value.
- `append_tags`, `remove_tags`: Items only. */
    edits: ({
      /** What is done to the field. */
      op: 'set';
      /** A field of the record, or `custom_data.` and a key. */
      field: string;
      /** The operand: a text, or a number in decimal digits. */
      value: string;
    } | {
      /** What is done to the field. */
      op: 'clear';
      /** A field of the record, or `custom_data.` and a key. */
      field: string;
    } | {
      /** What is done to the field. */
      op: 'add' | 'multiply' | 'add_percent';
      /** A field of the record, or `custom_data.` and a key. */
      field: string;
      /** A decimal number, written in digits. */
      value: string;
      /** Absent: the exact result. */
      rounding?: {
        /** `nearest` rounds halves away from zero; `up` and `down` round toward the larger and the smaller number. */
        mode: 'nearest' | 'up' | 'down';
        /** Digits after the point. */
        digits?: number | undefined;
      } | undefined;
    } | {
      /** What is done to the field. */
      op: 'replace_text';
      /** A field of the record, or `custom_data.` and a key. */
      field: string;
      /** Every occurrence is replaced; case matters. */
      find: string;
      /** The operand: a text, or a number in decimal digits. */
      value: string;
    } | {
      /** What is done to the field. */
      op: 'append_tags' | 'remove_tags';
      /** Labels by which Items are found. */
      tags: string[];
    })[];
  } | {
    /** Items or Xp tables. */
    kind: 'item';
    /** The ids of the records, instead of a filter. */
    ids?: string[] | undefined;
    /** All records that the list shows with this filter. Either this or `ids`. */
    filter?: {
      /** Contained in the name, case-insensitive. */
      name?: string | undefined;
      /** Lists deleted records as well. */
      include_deleted?: boolean | undefined;
      /** The trash. */
      only_deleted?: boolean | undefined;
      /** A key of custom_data. */
      custom_key?: string | undefined;
      item_type?: ItemType | undefined;
      /** Items with this whole tag. */
      tag?: string | undefined;
      /** A filter by value, with at most 10 conditions. */
      where?: {
        /** All of these are true. */
        and?: RecordCondition[] | undefined;
        /** At least one of these is true, besides all of `and`. */
        or?: RecordCondition[] | undefined;
      } | undefined;
    } | undefined;
    /** What the operation does. */
    operation: 'delete';
  } | {
    /** Items or Xp tables. */
    kind: 'item';
    /** The ids of the records, instead of a filter. */
    ids?: string[] | undefined;
    /** All records that the list shows with this filter. Either this or `ids`. */
    filter?: {
      /** Contained in the name, case-insensitive. */
      name?: string | undefined;
      /** Lists deleted records as well. */
      include_deleted?: boolean | undefined;
      /** The trash. */
      only_deleted?: boolean | undefined;
      /** A key of custom_data. */
      custom_key?: string | undefined;
      item_type?: ItemType | undefined;
      /** Items with this whole tag. */
      tag?: string | undefined;
      /** A filter by value, with at most 10 conditions. */
      where?: {
        /** All of these are true. */
        and?: RecordCondition[] | undefined;
        /** At least one of these is true, besides all of `and`. */
        or?: RecordCondition[] | undefined;
      } | undefined;
    } | undefined;
    /** What the operation does. */
    operation: 'restore';
  } | {
    /** Items or Xp tables. */
    kind: 'xp';
    /** The ids of the records, instead of a filter. */
    ids?: string[] | undefined;
    /** All records that the list shows with this filter. Either this or `ids`. */
    filter?: {
      /** Contained in the name, case-insensitive. */
      name?: string | undefined;
      /** Lists deleted records as well. */
      include_deleted?: boolean | undefined;
      /** The trash. */
      only_deleted?: boolean | undefined;
      /** A key of custom_data. */
      custom_key?: string | undefined;
      /** A filter by value, with at most 10 conditions. */
      where?: {
        /** All of these are true. */
        and?: RecordCondition[] | undefined;
        /** At least one of these is true, besides all of `and`. */
        or?: RecordCondition[] | undefined;
      } | undefined;
    } | undefined;
    /** What the operation does. */
    operation: 'update';
    /** Applied to each record, one after the other.
- `set`, `clear`: sets or removes the value of a field.
- `add`, `multiply`, `add_percent`: computes a number of custom data exactly. The result has at least as many digits after the point as the old value, unless it is rounded.
- `replace_text`: replaces a text within the value.
- `append_tags`, `remove_tags`: Items only. */
    edits: ({
      /** What is done to the field. */
      op: 'set';
      /** A field of the record, or `custom_data.` and a key. */
      field: string;
      /** The operand: a text, or a number in decimal digits. */
      value: string;
    } | {
      /** What is done to the field. */
      op: 'clear';
      /** A field of the record, or `custom_data.` and a key. */
      field: string;
    } | {
      /** What is done to the field. */
      op: 'add' | 'multiply' | 'add_percent';
      /** A field of the record, or `custom_data.` and a key. */
      field: string;
      /** A decimal number, written in digits. */
      value: string;
      /** Absent: the exact result. */
      rounding?: {
        /** `nearest` rounds halves away from zero; `up` and `down` round toward the larger and the smaller number. */
        mode: 'nearest' | 'up' | 'down';
        /** Digits after the point. */
        digits?: number | undefined;
      } | undefined;
    } | {
      /** What is done to the field. */
      op: 'replace_text';
      /** A field of the record, or `custom_data.` and a key. */
      field: string;
      /** Every occurrence is replaced; case matters. */
      find: string;
      /** The operand: a text, or a number in decimal digits. */
      value: string;
    } | {
      /** What is done to the field. */
      op: 'append_tags' | 'remove_tags';
      /** Labels by which Items are found. */
      tags: string[];
    })[];
  } | {
    /** Items or Xp tables. */
    kind: 'xp';
    /** The ids of the records, instead of a filter. */
    ids?: string[] | undefined;
    /** All records that the list shows with this filter. Either this or `ids`. */
    filter?: {
      /** Contained in the name, case-insensitive. */
      name?: string | undefined;
      /** Lists deleted records as well. */
      include_deleted?: boolean | undefined;
      /** The trash. */
      only_deleted?: boolean | undefined;
      /** A key of custom_data. */
      custom_key?: string | undefined;
      /** A filter by value, with at most 10 conditions. */
      where?: {
        /** All of these are true. */
        and?: RecordCondition[] | undefined;
        /** At least one of these is true, besides all of `and`. */
        or?: RecordCondition[] | undefined;
      } | undefined;
    } | undefined;
    /** What the operation does. */
    operation: 'delete';
  } | {
    /** Items or Xp tables. */
    kind: 'xp';
    /** The ids of the records, instead of a filter. */
    ids?: string[] | undefined;
    /** All records that the list shows with this filter. Either this or `ids`. */
    filter?: {
      /** Contained in the name, case-insensitive. */
      name?: string | undefined;
      /** Lists deleted records as well. */
      include_deleted?: boolean | undefined;
      /** The trash. */
      only_deleted?: boolean | undefined;
      /** A key of custom_data. */
      custom_key?: string | undefined;
      /** A filter by value, with at most 10 conditions. */
      where?: {
        /** All of these are true. */
        and?: RecordCondition[] | undefined;
        /** At least one of these is true, besides all of `and`. */
        or?: RecordCondition[] | undefined;
      } | undefined;
    } | undefined;
    /** What the operation does. */
    operation: 'restore';
  };
};

export type ChangeSetsRemoveOperationsInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `revision` of the change set on which the call is based. */
  expected_revision?: number | null | undefined;
  /** The records whose operations are removed. */
  records?: ({
    /** Items or Xp tables. */
    kind: 'item' | 'xp';
    /** The Item or the Xp table. */
    record_id: string;
  })[] | null | undefined;
  /** Removes the operations of `addMatching` that could not be computed. */
  not_computable?: true | null | undefined;
};

export type ChangeSetsCancelInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `revision` of the change set on which the call is based. */
  expected_revision?: number | null | undefined;
  /** Deletes a draft, unless it has comments, instead of keeping it in the list. */
  discard?: boolean | null | undefined;
};

export type ChangeSetsRestorePastInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Items or Xp tables. */
  kind: 'item' | 'xp';
  /** The moment to which the records return. */
  at: string | number;
  /** Only these records. Without it, all that match. */
  record_ids?: string[] | null | undefined;
  /** Contained in its name at that time. */
  name?: string | null | undefined;
  /** What the changes are for. */
  title?: string | null | undefined;
  /** The reason, shown with the versions. */
  reason?: string | null | undefined;
};

export type ChangeSetsPromoteInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The sandbox to copy from. `sandbox_id` is the target. */
  source_sandbox_id: string;
  /** Items or Xp tables. */
  kind: 'item' | 'xp';
  /** Only these records. Without it, all that differ or that only the source has. */
  record_ids?: string[] | null | undefined;
  /** Without `record_ids`: only those that the comparison lists with this status. */
  status?: 'only_source' | 'different' | null | undefined;
  /** Promotes the Xp tables that Items name and the target lacks. */
  include_referenced?: boolean | null | undefined;
  /** What the changes are for. */
  title?: string | null | undefined;
  /** The reason, shown with the versions. */
  reason?: string | null | undefined;
};

export type ChangeSetsPreviewInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** True lists only the operations that have a problem. */
  only_problems?: boolean | null | undefined;
  /** True lists only the operations that have a warning. */
  only_warnings?: boolean | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type ChangeSetsScheduleInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `revision` of the change set on which the call is based. */
  expected_revision: number;
  /** When the set is applied. At most a year from now. */
  apply_at: string | number;
  /** When it is reverted. Absent: it stays applied. */
  return_at?: string | number | null | undefined;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
};

export type ChangeSetsUnscheduleInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `revision` of the change set on which the call is based. */
  expected_revision: number;
};

export type ChangeSetsAcknowledgeInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
};

export type ChangeSetsRevertInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** What the changes are for. */
  title?: string | null | undefined;
  /** The reason, shown with the versions. */
  reason?: string | null | undefined;
};

export type ChangeSetsSubmitInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `revision` of the change set that was reviewed. */
  expected_revision: number;
};

export type ChangeSetsApproveInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `revision` of the change set that was reviewed. */
  expected_revision: number;
};

export type ChangeSetsRejectInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `revision` of the change set that was reviewed. */
  expected_revision: number;
  /** Why, shown to the author. */
  reason: string;
};

export type ChangeSetsCommentInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** Plain text, at most 2,000 characters. */
  text: string;
};

export type ChangeSetsCommentsInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type ChangeSetsApplyInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The change set. */
  change_set_id: string;
  /** The `revision` of the change set on which the call is based. */
  expected_revision: number;
  /** Why an owner applies it without the approvals that are required. */
  bypass_reason?: string | null | undefined;
  /** The name of the protected sandbox, typed as a confirmation. */
  confirm_sandbox_name?: string | null | undefined;
};

export type ViewsListInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Items or Xp tables. */
  kind: 'item' | 'xp';
};

export type ViewsCreateInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Items or Xp tables. */
  kind: 'item' | 'xp';
  /** A name with at least one visible character. White space at both ends is removed. */
  name: string;
  /** The query of the list in the web app: filters, columns and sort. */
  search: string;
  /** Everyone who may view the sandbox sees it. */
  shared?: boolean | null | undefined;
};

export type ViewsUpdateInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The saved view. */
  view_id: string;
  /** A name with at least one visible character. White space at both ends is removed. */
  name?: string | null | undefined;
  /** The query of the list in the web app: filters, columns and sort. */
  search?: string | null | undefined;
  /** Everyone who may view the sandbox sees it. */
  shared?: boolean | null | undefined;
};

export type ViewsRemoveInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The saved view. */
  view_id: string;
};

export type RecordsAsOfInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** Items or Xp tables. */
  kind: 'item' | 'xp';
  /** The moment. Absent: now. */
  at?: string | number | null | undefined;
  /** A position of the history. */
  seq?: number | null | undefined;
  /** Contained in its name at that time. */
  name?: string | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type CompareListInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The sandbox to copy from. `sandbox_id` is the target. */
  source_sandbox_id: string;
  /** Items or Xp tables. */
  kind: 'item' | 'xp';
  /** Differences of this kind. */
  status?: 'only_source' | 'only_target' | 'different' | null | undefined;
  /** Compares a sandbox with itself at this time: both ids are then the same. */
  source_at?: string | number | null | undefined;
  /** The `cursor` of the page before. Absent for the first page. */
  cursor?: string | null | undefined;
  /** The most entries of a page. A page may have fewer, since its bytes are bounded as well. */
  page_size?: number | null | undefined;
};

export type OverviewGetInput = {
  /** The sandbox. */
  sandbox_id: string;
};

export type SearchFindInput = {
  /** The text to look for. */
  query: string;
  /** The sandbox. */
  sandbox_id?: string | null | undefined;
};

export type MaintenanceGetInput = Record<string, never>;

export type MaintenanceSetInput = {
  /** True begins maintenance, false ends it. */
  enabled: boolean;
  /** Shown in the web app and in the audit trail, not to players. */
  reason?: string | null | undefined;
  /** The lowest `Retry-After`; the highest is half as much again. */
  retry_after_seconds?: number | null | undefined;
};

export type SystemGetInput = Record<string, never>;

export type SystemSeriesInput = {
  /** How many of the last minutes to read. */
  minutes?: number | null | undefined;
};

export type VerificationCheckInput = {
  /** The sandbox. */
  sandbox_id: string;
  /** The position after which the check begins. */
  after_seq?: number | null | undefined;
  /** The most versions to check in this call. */
  limit?: number | null | undefined;
};

/** Why the call was refused. */
export type AdminErrorBody = {
  error: {
    /** The same as `data.desc`. */
    message: string;
    /** The number of the error in JSON-RPC 2.0. */
    code: number;
    data: AdminErrorData;
  };
};

/** Some codes have members of their own, such as `current_etag`, `current_version` or `sandbox_name`. */
export type AdminErrorData = {
  /** The name of the error in tRPC. */
  code: string;
  httpStatus: number;
  /** The procedure. */
  path?: string | undefined;
  error_code: string;
  desc: string;
  /** Every problem of the input, with its place. */
  detail?: ValidationProblem[] | undefined;
  [name: string]: unknown;
};

/** One problem and the place that it is in. */
export type ValidationProblem = {
  /** Where: path, query, header or body, then field names (strings) and array indexes (integers). */
  loc: unknown[];
  /** One sentence for people. Its wording may change. */
  msg: string;
  /** A stable identifier. */
  type: string;
};

/** The caller, as the credential describes it. */
export type Me = {
  account_id: string;
  kind: 'person' | 'service' | 'token';
  name?: string | undefined;
  email?: string | undefined;
  role?: Role | undefined;
  permissions: string[];
  /** Absent: every sandbox. */
  sandbox_ids?: string[] | undefined;
  must_change_password?: true | undefined;
  two_factor_enabled?: boolean | undefined;
};

export type Role = 'viewer' | 'editor' | 'admin' | 'owner';

export type MeFindOutput = Me | null;

export type MeSignInsOutput = {
  sign_ins: SignIn[];
};

export type SignIn = {
  sign_in_id: string;
  created: string;
  expires: string;
  address?: string | undefined;
  user_agent?: string | undefined;
  /** The sign-in of this request. */
  current?: true | undefined;
};

export type MeIdentitiesOutput = {
  identities: Identity[];
};

/** A single sign-on identity that is linked to a person. */
export type Identity = {
  identity_id: string;
  issuer?: string | undefined;
  subject: string;
  linked: string;
  last_used: string;
};

export type MeEndSignInsOutput = {
  ended: number;
};

export type PeopleListOutput = {
  people: Person[];
  invitations: Invitation[];
};

export type Person = {
  account_id: string;
  name: string;
  email: string;
  role: Role;
  /** Absent: every sandbox. */
  sandbox_ids?: string[] | undefined;
  created: string;
  last_signed_in?: string | undefined;
  two_factor_enabled: boolean;
  disabled?: true | undefined;
  /** Those that the person made and that have working keys. */
  service_accounts?: number | undefined;
};

export type Invitation = {
  invitation_id: string;
  email: string;
  role: Role;
  /** Absent: every sandbox. */
  sandbox_ids?: string[] | undefined;
  invited_by: string;
  created: string;
  expires: string;
};

export type PeopleInviteOutput = {
  invitation_id: string;
  url: string;
  expires: string;
};

export type PeopleIdentitiesOutput = {
  identities: Identity[];
};

export type PeopleResetPasswordOutput = {
  /** In this response only. */
  one_time_password: string;
};

export type InvitationsGetOutput = {
  email: string;
  role: Role;
  expires: string;
};

export type InvitationsAcceptOutput = {
  email: string;
};

export type KeysListOutput = {
  service_accounts: ServiceAccount[];
  page_meta: AdminPageMeta;
};

export type ServiceAccount = {
  account_id: string;
  name: string;
  created: string;
  keys: Key[];
  hidden_keys?: number | undefined;
};

/** A key without its secret. */
export type Key = {
  key_id: string;
  name: string;
  /** The beginning of the key, which identifies it later. */
  prefix: string;
  permissions: string[];
  /** Absent: every sandbox. */
  sandbox_ids?: string[] | undefined;
  created: string;
  expires?: string | undefined;
  /** Exact to the minute. */
  last_used?: string | undefined;
  revoked?: string | undefined;
};

/** The page of a list. */
export type AdminPageMeta = {
  page_size: number;
  /** Of the next page; absent on the last one. */
  cursor?: string | undefined;
};

export type KeysUseOutput = {
  /** The last 14 days in UTC, newest first. */
  days: KeyDay[];
  /** The newest ten, newest first. */
  last_refusals: KeyRefusal[];
};

export type KeyDay = {
  day: string;
  requests: number;
  refused: number;
};

export type KeyRefusal = {
  at: string;
  error_code: string;
  /** The procedure, or the pattern of the route. */
  target: string;
  request_id: string;
};

export type KeysCreateAccountOutput = {
  account_id: string;
  name: string;
  created: string;
};

export type NewKey = {
  /** In this response only. */
  key: string;
  key_id: string;
  name: string;
  /** The beginning of the key, which identifies it later. */
  prefix: string;
  permissions: string[];
  /** Absent: every sandbox. */
  sandbox_ids?: string[] | undefined;
  created: string;
  expires?: string | undefined;
  /** Exact to the minute. */
  last_used?: string | undefined;
  revoked?: string | undefined;
};

export type AccountsNamesOutput = {
  accounts: ({
    account_id: string;
    name: string;
    kind: string;
  })[];
};

export type AccountsSignInMethodsOutput = {
  oidc?: {
    name: string;
  } | undefined;
};

export type AuditChoicesOutput = {
  account_ids: string[];
  actions: string[];
};

/** One change: its account, its target and its time. */
export type AuditRecord = {
  audit_id: string;
  occurred_at: string;
  account_id: string;
  /** The procedure, such as `items.update`. */
  action: string;
  sandbox_id?: string | undefined;
  target: Record<string, unknown>;
  /** Null when only its ids are known. */
  target_name: string | null;
  before?: Record<string, unknown> | undefined;
  after?: Record<string, unknown> | undefined;
  reason?: string | undefined;
  request_id?: string | undefined;
  address?: string | undefined;
};

export type AuditListOutput = {
  records: AuditRecord[];
  page_meta: AdminPageMeta;
};

/** A registered player. */
export type Player = {
  player_uuid: string;
  /** Legacy id. */
  player_id?: number | undefined;
  display_name?: string | undefined;
};

export type Deleted = {
  deleted: true;
};

export type PlayerDetails = {
  player_uuid: string;
  /** Legacy id. */
  player_id?: number | undefined;
  display_name?: string | undefined;
  registered: string;
  platforms: Platform[];
};

export type PlayersNamesOutput = {
  players: Player[];
};

export type PlayersListOutput = {
  players: ListedPlayer[];
  page_meta: AdminPageMeta;
};

/** A registered player. */
export type ListedPlayer = {
  player_uuid: string;
  /** Legacy id. */
  player_id?: number | undefined;
  display_name?: string | undefined;
  registered: string;
};

/** How many entries match; counting stops at a limit. */
export type Counted = {
  count: number;
  /** False when there are at least as many. */
  is_exact: boolean;
};

export type PlayersSessionsOutput = {
  seats: PlayerSeat[];
  page_meta: AdminPageMeta;
};

/** A seat of a player, also in ended sessions. */
export type PlayerSeat = {
  type: string;
  session_id: string;
  team_id: number;
  status: PlayerStatus;
  platform?: Platform | undefined;
  /** Version of the player's client. */
  version?: string | undefined;
  invited?: string | undefined;
  joined?: string | undefined;
  absent_since?: string | undefined;
  session_ended?: string | undefined;
};

/** leader and member hold a seat; invited and reserved keep one for a player who has not arrived. */
export type PlayerStatus = 'leader' | 'member' | 'invited' | 'reserved';

export type PlayersEventsOutput = {
  events: PlayerEvent[];
  page_meta: AdminPageMeta;
};

/** An entry of the timeline of a player. */
export type PlayerEvent = {
  event_id: string;
  occurred_at: string;
  /** Such as `player_joined`. Later versions may add kinds. */
  kind: string;
  account_id: string;
  session_version?: number | undefined;
  detail?: Record<string, unknown> | undefined;
  type: string;
  session_id: string;
};

export type RefusedJoinsListOutput = {
  refused_joins: RefusedJoin[];
  page_meta: AdminPageMeta;
};

/** A refused join with a verified credential. */
export type RefusedJoin = {
  refusal_id: string;
  occurred_at: string;
  /** The player who could not join: the player of the path, or the caller if that is a player who may not act for another one. Absent when neither is a player UUID. */
  player_uuid?: string | undefined;
  /** The player of the path, cut to 64 characters, if it is not `player_uuid`. */
  named_player?: string | undefined;
  /** The account of the credential. */
  account_id: string;
  /** As it was sent: any text when it is no platform. */
  platform: string;
  /** As it was sent, cut to 256 characters. */
  platform_session_id_base64: string;
  /** The type of the session. */
  type?: string | undefined;
  /** The session that the join reached. Absent when it reached none. */
  session_id?: string | undefined;
  /** The code of the response. For a 422, the code of the log, such as `input_invalid`. */
  error_code: string;
  /** The sentence of the response. For a 422, its first problems. */
  desc: string;
  request_id: string;
  /** Later refusals of the player in the same hour, which have no entry. */
  further?: number | undefined;
};

/** The rules of the sessions of a type. */
export type SessionType = {
  type: string;
  version_match: 'none' | 'major' | 'minor' | 'patch' | 'exact';
  default_teams: DefaultTeamOutput[];
  invitation_ttl_seconds?: number | undefined;
  reservation_ttl_seconds?: number | undefined;
  absent_ttl_seconds?: number | undefined;
  ended_retention_seconds?: number | undefined;
  idle_ttl_seconds?: number | undefined;
  max_age_seconds?: number | undefined;
};

export type SessionTypesListOutput = {
  session_types: SessionType[];
};

export type SessionWithEtag = {
  session: Session;
  /** With its quotes, as the header of a join has it. */
  etag: string;
  /** Present only when a repeated creation or end returns a session that had ended before. */
  ended?: string | undefined;
};

/** A multiplayer session with its teams and seats. */
export type Session = {
  /** Template type. */
  type: string;
  /** Unique within its type. */
  session_id: string;
  instance?: Instance | undefined;
  /** @deprecated */
  match?: Match | undefined;
  matchmaking_results?: MatchmakingResults | undefined;
  matchmaking?: Matchmaking | undefined;
  backfill?: Backfill | undefined;
  browser?: Browser | undefined;
  /** True when players may join without an invite. */
  joinable: boolean;
  teams: Team[];
  /** A player who joins one of these implicitly joins the parent session. */
  platform_session: PlatformSession[];
  /** Defined by the leader or by the instance. */
  custom_data?: CustomData | undefined;
  created: string;
  /** Preferred region. */
  region_id?: string | undefined;
  created_by_matchmaking?: boolean | undefined;
};

/** The host that runs the session. */
export type Instance = {
  allocation_id?: string | undefined;
  /** Unique id of the relationship of host and session. */
  instance_id: string;
  host_type: HostType;
  /** When the host type is player. */
  host_player_id?: number | undefined;
  /** When the host type is player. */
  host_player_uuid?: string | undefined;
  host_dedicated_process_id?: string | undefined;
  host_dedicated_server_id?: string | undefined;
  join_status: JoinStatus;
  join_params?: JoinParams | undefined;
  instance_startup_params?: InstanceStartupParams | undefined;
  /** Client version of the product, which the versions of joining players are held against. */
  version?: string | undefined;
  custom_data?: CustomData | undefined;
  instance_health?: InstanceHealth | undefined;
  /** Profile that the instance was spawned from. */
  match_making_profile_id?: string | undefined;
  match_id?: string | undefined;
  created: string;
};

/** Deprecated: see MatchmakingResults. */
export type Match = {
  match_id: string;
  custom_data?: CustomData | undefined;
  ticket_ids: string[];
  created: string;
};

/** The decisions of matchmaking for the session. */
export type MatchmakingResults = {
  match_making_id: string;
  custom_data?: CustomData | undefined;
  ticket_ids: string[];
  /** Whether the tickets of these results were assigned. */
  tickets_assigned?: boolean | undefined;
  created: string;
};

/** A team with its players and its number of seats. */
export type Team = {
  players: SessionPlayer[];
  /** Number of seats. Held ones (invited, reserved) are taken too. */
  max_size: number;
  /** What a join names as `team_id`. */
  team_id?: number | undefined;
  /** Tickets assigned to the team. */
  ticket_ids?: string[] | undefined;
  custom_data?: CustomData | undefined;
};

/** A player with a seat, or with one held. */
export type SessionPlayer = {
  /** Legacy id. */
  player_id?: number | undefined;
  player_uuid: string;
  status: PlayerStatus;
  /** Sender of the invite, if any. */
  inviting_player_uuid?: string | undefined;
  /** Session that the player was invited from. */
  source_session_id?: string | undefined;
  /** Defined by the player. */
  custom_data?: CustomData | undefined;
  /** Version of the player's client. */
  version?: string | undefined;
  client_settings?: ClientSettings | undefined;
  crossplay_preferences?: CrossplayPreferences | undefined;
  /** When a seat was first held for the player, if one was. */
  invited?: string | undefined;
  /** When the player first took the seat; absent while it is only held. */
  joined?: string | undefined;
};

/** The platform and input device of a seat's player. */
export type ClientSettings = {
  /** @deprecated Deprecated: read `platform`. */
  platform_id?: number | undefined;
  platform?: Platform | undefined;
  input: InputDevice;
};

/** How the player controls the game. */
export type InputDevice = 'keyboardandmouse' | 'gamepad' | 'touch';

/** Whom the player agrees to play with. When absent, as permissive as possible. */
export type CrossplayPreferences = {
  permitted_platform: PermittedPlatform;
  permitted_input: PermittedInput;
};

/** The platforms that the player agrees to play with: xboxlike permits XboxLive only, playstationlike PSN only. */
export type PermittedPlatform = 'desired_platforms_any' | 'desired_platforms_xboxlike' | 'desired_platforms_playstationlike';

/** The input devices that the player agrees to play against. */
export type PermittedInput = 'desired_inputs_any' | 'desired_inputs_keyboardandmouse' | 'desired_inputs_gamepad' | 'desired_inputs_touch';

/** A child session that lives on a platform. */
export type PlatformSession = {
  platform: Platform;
  /** Platform-specific id of the platform's template. */
  platform_session_type: string;
  /** Unique id of the platform session. The standard and the URL-safe alphabet, with and without padding, name the same one. */
  platform_session_id_base64: string;
  /** @deprecated Deprecated: platform sessions no longer track players. Always empty. */
  players: PlatformPlayer[];
  custom_data?: CustomData | undefined;
};

/** Deprecated: a player of a platform session. */
export type PlatformPlayer = {
  player_id?: number | undefined;
  player_uuid: string;
  /** Leadership is coordinated when all players of the parent session come from the same platform session. */
  leader?: boolean | undefined;
};

export type SessionsCreateManyOutput = {
  results: CreationResult[];
};

export type CreationResult = SessionWithEtag | RefusedCreation;

export type RefusedCreation = {
  error_code: string;
  desc: string;
};

export type FoundSession = DetailedSession | UnchangedSession;

export type DetailedSession = {
  session: Session;
  /** With its quotes, as the header of a join has it. */
  etag: string;
  /** The states to which the instance may change. */
  instance_transitions: JoinStatus[];
  /** Seated players who are marked absent. */
  absent_players?: AbsentPlayer[] | undefined;
  /** The last time that a player took a seat or left one; absent before the first. */
  last_activity_at?: string | undefined;
  ended?: string | undefined;
};

export type AbsentPlayer = {
  player_uuid: string;
  since: string;
};

/** The session still has the ETag of the request. */
export type UnchangedSession = {
  unchanged: true;
  /** Seated players who are marked absent. */
  absent_players?: AbsentPlayer[] | undefined;
};

export type SessionsFindOutput = FoundSession | null;

export type SessionsWatchOutput = FoundSession | null;

export type SessionsListOutput = {
  sessions: ListedSession[];
  page_meta: AdminPageMeta;
};

export type ListedSession = {
  session: Session;
  /** With its quotes, as the header of a join has it. */
  etag: string;
  /** Taken and held seats. */
  seats: number;
  capacity: number;
  /** Seated players who are marked absent. */
  absent: number;
  /** The last time that a player took a seat or left one; absent before the first. */
  last_activity_at?: string | undefined;
  ended?: string | undefined;
};

export type SessionsEndMatchingOutput = {
  ended: number;
  skipped: number;
  page_meta: AdminPageMeta;
};

/** The response that the game would get. */
export type TriedJoin = {
  request: {
    method: string;
    path: string;
    body?: unknown | undefined;
  };
  status: number;
  headers: Record<string, string>;
  body?: unknown | undefined;
  /** A command that uses `$BASE_URL` and `$TOKEN`. */
  curl: string;
};

export type SessionsEventsOutput = {
  events: SessionEvent[];
  page_meta: AdminPageMeta;
};

/** An entry of the timeline of a session. */
export type SessionEvent = {
  event_id: string;
  occurred_at: string;
  /** Such as `player_joined`. Later versions may add kinds. */
  kind: string;
  account_id: string;
  session_version?: number | undefined;
  detail?: Record<string, unknown> | undefined;
  player_uuid?: string | undefined;
};

export type EventsListOutput = {
  events: FeedEvent[];
  page_meta: FeedPageMeta;
};

/** A change of a session, with `type` and `session_id`, an edit of a sandbox, with `sandbox_id`, an applied or failed change set, with `change_set_id`, or a disabled webhook, with `webhook_id`. */
export type FeedEvent = {
  event_id: string;
  occurred_at: string;
  /** Such as `player_joined` or `catalogue_edited`. Later versions may add kinds. */
  kind: string;
  account_id: string;
  /** The type of the session. */
  type?: string | undefined;
  session_id?: string | undefined;
  /** The version of the session that the event created. Absent when the session did not change. */
  session_version?: number | undefined;
  player_uuid?: string | undefined;
  detail?: Record<string, unknown> | undefined;
  sandbox_id?: string | undefined;
  /** The transaction of the edit. All its versions have this id. */
  transaction_id?: string | undefined;
  /** New versions of Items. */
  items?: number | undefined;
  /** New versions of Xp tables. */
  xp?: number | undefined;
  change_set_id?: string | undefined;
  webhook_id?: string | undefined;
};

export type FeedPageMeta = {
  cursor: string;
};

export type WebhooksListOutput = {
  webhooks: Webhook[];
};

/** A receiver of events or audit records, without its secret. */
export type Webhook = {
  webhook_id: string;
  url: string;
  /** The kinds of events that are sent. */
  kinds: string[];
  /** What an update names as `expected_version`. */
  version: number;
  created: string;
  /** Present while nothing is sent. */
  disabled?: string | undefined;
  /** `by_request`, `failing` after three days of failures, `gone` after a 410, or `secret_unreadable` after a change of `ACCOUNTS_SECRET`. */
  disabled_reason?: string | undefined;
  pending_deliveries: number;
  /** When the signing secrets were made, newest first. */
  secrets: ({
    created: string;
    expires?: string | undefined;
  })[];
};

export type NewWebhook = {
  webhook_id: string;
  url: string;
  /** The kinds of events that are sent. */
  kinds: string[];
  /** What an update names as `expected_version`. */
  version: number;
  created: string;
  /** Present while nothing is sent. */
  disabled?: string | undefined;
  /** `by_request`, `failing` after three days of failures, `gone` after a 410, or `secret_unreadable` after a change of `ACCOUNTS_SECRET`. */
  disabled_reason?: string | undefined;
  pending_deliveries: number;
  /** When the signing secrets were made, newest first. */
  secrets: ({
    created: string;
    expires?: string | undefined;
  })[];
  /** Verifies signatures. In this response only. */
  secret: string;
};

export type WebhooksTestOutput = {
  duration_ms: number;
  status_code?: number | undefined;
  response?: string | undefined;
  error?: string | undefined;
};

export type WebhooksListDeliveriesOutput = {
  deliveries: WebhookDelivery[];
  page_meta: AdminPageMeta;
};

/** Up to 100 events of one subject. */
export type WebhookDelivery = {
  /** The `webhook-id` of every attempt. */
  delivery_id: string;
  /** What the events are about: a session, a sandbox or a webhook, by its ids. `stream` is `audit` for audit records. */
  subject: Record<string, string>;
  /** How many events it has. */
  events: number;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  created: string;
  attempted?: string | undefined;
  /** Absent while an earlier delivery of the subject is pending. */
  next_attempt?: string | undefined;
  ended?: string | undefined;
  status_code?: number | undefined;
  duration_ms?: number | undefined;
  /** The first KiB of the response. Absent for private addresses. */
  response?: string | undefined;
  /** Why there was no response. */
  error?: string | undefined;
};

export type Sandbox = {
  sandbox_id: string;
  name: string;
  protected: boolean;
  /** How many people have to approve a change before it is written. */
  required_approvals: number;
  created: string;
  archived?: string | undefined;
  deleted?: string | undefined;
  /** The newest position of the history. */
  head_seq: number;
  /** SHA-256 of the newest version, in hexadecimal. Kept elsewhere, it proves the history. */
  head_hash?: string | undefined;
  item_versions: number;
  xp_versions: number;
};

export type SandboxesPurgeOutput = {
  purged: true;
};

export type SandboxesListOutput = {
  sandboxes: Sandbox[];
  /** The days until a deleted sandbox is purged; absent for ever. */
  deleted_kept_days?: number | undefined;
  page_meta: AdminPageMeta;
};

/** An Item after an edit. */
export type EditedItem = {
  item_id: string;
  legacy_item_id?: number | undefined;
  name: string;
  description?: string | undefined;
  item_type: ItemType;
  tags: string[];
  /** The Xp table that levels this Item. */
  level_xp_table_id?: string | undefined;
  custom_data: Strings;
  /** What an edit names as `expected_version`. */
  version: number;
  version_id: string;
  transaction_id: string;
  created: string;
  updated: string;
  deleted?: true | undefined;
  /** Absent without one. `level_xp_table_id`: this sandbox has no such Xp table. `custom_data`: a restored value does not fit the schema. */
  warnings?: ({
    field: string;
    msg: string;
  })[] | undefined;
};

/** Strings by name, for games to use. */
export type Strings = Record<string, string>;

/** An Item with its present version. */
export type ItemRecord = {
  item_id: string;
  legacy_item_id?: number | undefined;
  name: string;
  description?: string | undefined;
  item_type: ItemType;
  tags: string[];
  /** The Xp table that levels this Item. */
  level_xp_table_id?: string | undefined;
  custom_data: Strings;
  /** What an edit names as `expected_version`. */
  version: number;
  version_id: string;
  transaction_id: string;
  created: string;
  updated: string;
  deleted?: true | undefined;
};

export type ItemsBulkOutput = {
  records: ItemRecord[];
  transaction_id?: string | undefined;
};

export type ItemsListOutput = {
  records: ItemRecord[];
  page_meta: CountedPageMeta;
};

/** The page of a list, and how long the list is. */
export type CountedPageMeta = {
  page_size: number;
  /** Of the next page; absent on the last one. */
  cursor?: string | undefined;
  /** Absent where counting would cost too much. */
  total?: number | undefined;
};

/** An Xp table with its present version. */
export type XpRecord = {
  xp_id: string;
  legacy_xp_id?: number | undefined;
  name: string;
  description?: string | undefined;
  xp_thresholds: XpThreshold[];
  custom_data: Strings;
  /** What an edit names as `expected_version`. */
  version: number;
  version_id: string;
  transaction_id: string;
  created: string;
  updated: string;
  deleted?: true | undefined;
};

export type XpBulkOutput = {
  records: XpRecord[];
  transaction_id?: string | undefined;
};

export type XpListOutput = {
  records: XpRecord[];
  page_meta: CountedPageMeta;
};

export type ItemSchemasListOutput = {
  schemas: ItemSchema[];
};

/** A version of the schema of an item type. */
export type ItemSchema = {
  item_type: ItemType;
  /** The `expected_version` of the next change; 0 without a schema. */
  version: number;
  /** Empty when anything fits. */
  fields: StoredSchemaField[];
  /** Absent in version 0. */
  account_id?: string | undefined;
  /** Absent in version 0. */
  created?: string | undefined;
  reason?: string | undefined;
  /** Only if the schema was promoted. */
  source_sandbox_id?: string | undefined;
  source_version?: number | undefined;
};

/** A key of custom data, and the values that fit. */
export type StoredSchemaField = {
  key: string;
  type: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'date' | 'reference' | 'colour' | 'url';
  required: boolean;
  label?: string | undefined;
  default?: string | undefined;
  choices?: string[] | undefined;
  references?: 'item' | 'xp' | undefined;
};

export type ItemSchemasHistoryOutput = {
  versions: ItemSchema[];
  page_meta: AdminPageMeta;
};

export type ItemSchemasProblemsOutput = {
  items: UnfitItem[];
  page_meta: AdminPageMeta;
};

/** An Item with values that do not fit its schema. */
export type UnfitItem = {
  item_id: string;
  name: string;
  item_type: ItemType;
  version: number;
  problems: SchemaProblem[];
};

export type SchemaProblem = {
  key: string;
  /** `required` when the key is missing, otherwise the type. */
  rule: 'required' | 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'date' | 'reference' | 'colour' | 'url';
  msg: string;
  /** Its first 256 characters. */
  value?: string | undefined;
};

export type VersionsListOutput = {
  versions: VersionEntry[];
  page_meta: CountedPageMeta;
};

/** One version of one record. */
export type VersionEntry = {
  /** The position in the history of the sandbox. */
  seq: number;
  version_id: string;
  previous_version_id?: string | undefined;
  transaction_id: string;
  kind: RecordKind;
  record_id: string;
  version: number;
  operation: Operation;
  account_id: string;
  reason?: string | undefined;
  issued_at: string;
  /** The name of the record at this version. */
  name: string;
  /** All fields for an insert, none for a delete. */
  changed_fields: string[];
};

/** Items or Xp tables. */
export type RecordKind = 'item' | 'xp';

/** What a version did to its record. */
export type Operation = 'insert' | 'update' | 'delete' | 'restore';

export type VersionDetails = {
  /** The position in the history of the sandbox. */
  seq: number;
  version_id: string;
  previous_version_id?: string | undefined;
  transaction_id: string;
  kind: RecordKind;
  record_id: string;
  version: number;
  operation: Operation;
  account_id: string;
  reason?: string | undefined;
  issued_at: string;
  /** The name of the record at this version. */
  name: string;
  /** All fields for an insert, none for a delete. */
  changed_fields: string[];
  record: StoredRecord;
  /** SHA-256 of the version, in hexadecimal. */
  hash: string;
};

/** A whole Item or Xp table, as it was at one version. */
export type StoredRecord = StoredItem | StoredXp;

export type StoredItem = {
  item_id: string;
  legacy_item_id?: number | undefined;
  name: string;
  description?: string | undefined;
  item_type: ItemType;
  tags: string[];
  /** The Xp table that levels this Item. */
  level_xp_table_id?: string | undefined;
  custom_data: Strings;
};

export type StoredXp = {
  xp_id: string;
  legacy_xp_id?: number | undefined;
  name: string;
  description?: string | undefined;
  xp_thresholds: XpThreshold[];
  custom_data: Strings;
};

export type VersionsDiffOutput = {
  from?: VersionEntry | undefined;
  to: VersionEntry;
  changes: FieldChange[];
};

/** One difference between two records. */
export type FieldChange = {
  /** Names elements by identity: `["tags", "rare"]`, `["xp_thresholds", 5]` (the level), `["custom_data", "damage"]`. */
  path: unknown[];
  /** The path for people. */
  label: string;
  change: 'added' | 'removed' | 'changed';
  before?: unknown | undefined;
  after?: unknown | undefined;
};

export type EditsListOutput = {
  edits: Edit[];
  page_meta: AdminPageMeta;
};

/** All versions that one transaction wrote. */
export type Edit = {
  transaction_id: string;
  issued_at: string;
  account_id: string;
  /** The reason of its last version. */
  reason?: string | undefined;
  /** The title of its change set. */
  title?: string | undefined;
  change_set_id?: string | undefined;
  first_seq: number;
  last_seq: number;
  counts: EditCount[];
  changed_fields: string[];
  /** Only for an edit of one record. */
  name?: string | undefined;
  /** Only for an edit of one record. */
  record_id?: string | undefined;
  reverted_by_transaction_id?: string | undefined;
};

export type EditCount = {
  kind: RecordKind;
  operation: Operation;
  records: number;
};

/** A plan of changes that are applied together. */
export type ChangeSet = {
  sandbox_id: string;
  change_set_id: string;
  title: string;
  reason?: string | undefined;
  state: ChangeSetState;
  author_id: string;
  /** Increases with every change of the set. */
  revision: number;
  operation_count: number;
  created: string;
  updated: string;
  applied?: {
    /** Absent when nothing had to change. */
    transaction_id?: string | undefined;
    account_id: string;
    at: string;
  } | undefined;
  /** The edit that this set undoes. */
  reverts_transaction_id?: string | undefined;
  reverted_by_set_id?: string | undefined;
  schedule?: {
    apply_at: string;
    return_at?: string | undefined;
    /** The account that scheduled it. */
    account_id: string;
    /** Absent when nothing is pending. */
    next_step?: ChangeSetStep | undefined;
  } | undefined;
  /** Why the last scheduled step was not done. Nothing of it was written. */
  failure?: {
    step: ChangeSetStep;
    /** Such as `too_late`, `both_moments_passed`, `account_disabled`, or an error code. */
    code: string;
    desc: string;
    at: string;
    /** True until the failure is acknowledged. */
    needs_attention: boolean;
  } | undefined;
};

export type ChangeSetState = 'draft' | 'in_review' | 'approved' | 'rejected' | 'scheduled' | 'applied' | 'reverted' | 'conflicted' | 'cancelled' | 'failed';

export type ChangeSetStep = 'apply' | 'return';

export type ReviewedChangeSet = {
  sandbox_id: string;
  change_set_id: string;
  title: string;
  reason?: string | undefined;
  state: ChangeSetState;
  author_id: string;
  /** Increases with every change of the set. */
  revision: number;
  operation_count: number;
  created: string;
  updated: string;
  applied?: {
    /** Absent when nothing had to change. */
    transaction_id?: string | undefined;
    account_id: string;
    at: string;
  } | undefined;
  /** The edit that this set undoes. */
  reverts_transaction_id?: string | undefined;
  reverted_by_set_id?: string | undefined;
  schedule?: {
    apply_at: string;
    return_at?: string | undefined;
    /** The account that scheduled it. */
    account_id: string;
    /** Absent when nothing is pending. */
    next_step?: ChangeSetStep | undefined;
  } | undefined;
  /** Why the last scheduled step was not done. Nothing of it was written. */
  failure?: {
    step: ChangeSetStep;
    /** Such as `too_late`, `both_moments_passed`, `account_disabled`, or an error code. */
    code: string;
    desc: string;
    at: string;
    /** True until the failure is acknowledged. */
    needs_attention: boolean;
  } | undefined;
  review: Review;
};

export type Review = {
  /** How many the sandbox requires. */
  required_approvals: number;
  approvals: Approval[];
  /** The accounts that changed the set after its author. */
  editor_ids: string[];
  /** Of a rejected set. */
  rejection?: {
    account_id: string;
    at: string;
    reason: string;
  } | undefined;
};

export type Approval = {
  account_id: string;
  at: string;
  /** False when the account is disabled or may no longer approve. */
  counts: boolean;
};

export type ChangeSetsListOutput = {
  change_sets: ChangeSet[];
  page_meta: AdminPageMeta;
};

export type ChangeSetsPreviewOutput = {
  operations: PreviewedOperation[];
  /** The numbers of operations, of the whole set; only on the first page. An operation with `warnings` also counts as one of the others. */
  counts?: {
    changes: number;
    unchanged: number;
    problems: number;
    warnings: number;
  } | undefined;
  head_seq: number;
  page_meta: AdminPageMeta;
};

/** What an operation would change now. */
export type PreviewedOperation = {
  kind: RecordKind;
  record_id: string;
  name: string;
  operation: 'create' | 'update' | 'delete' | 'restore';
  changes: FieldChange[];
  /** Why the change set cannot be applied. */
  problem?: {
    error_code: string;
    desc: string;
    conflicts?: FieldConflict[] | undefined;
    /** Present if the change could not be computed for the record. */
    not_computable?: true | undefined;
  } | undefined;
  warnings?: string[] | undefined;
};

/** Two different changes of one value. */
export type FieldConflict = {
  /** Names elements by identity: `["tags", "rare"]`, `["xp_thresholds", 5]` (the level), `["custom_data", "damage"]`. */
  path: unknown[];
  label: string;
  /** The value in the base version. */
  base?: unknown | undefined;
  /** The value of the record now. */
  theirs?: unknown | undefined;
  /** The value of the operation. */
  mine?: unknown | undefined;
};

export type ChangeSetComment = {
  comment_id: string;
  kind: 'comment' | 'approval' | 'rejection' | 'bypass';
  account_id: string;
  at: string;
  /** Absent from an approval. */
  text?: string | undefined;
  /** Of an approval, after a later change of the set or a rejection. */
  withdrawn?: string | undefined;
};

export type ChangeSetsCommentsOutput = {
  comments: ChangeSetComment[];
  page_meta: AdminPageMeta;
};

export type ChangeSetsApplyOutput = {
  change_set: ChangeSet;
  /** Absent when nothing had to change. */
  transaction_id?: string | undefined;
  head_seq: number;
};

export type ViewsListOutput = {
  views: SavedView[];
};

/** Filters, columns and sort of a list under a name. */
export type SavedView = {
  view_id: string;
  kind: RecordKind;
  name: string;
  /** The account that made it. */
  owner_id: string;
  shared: boolean;
  search: string;
  updated: string;
};

export type ViewsRemoveOutput = {
  removed: true;
};

export type RecordsAsOfOutput = {
  records: RecordAsOf[];
  as_of: {
    seq: number;
    issued_at?: string | undefined;
  };
  page_meta: AdminPageMeta;
};

export type RecordAsOf = {
  record: StoredRecord;
  version: number;
  version_id: string;
  operation: Operation;
  /** Of the record now. */
  current_version: number;
  /** The record is deleted now. */
  deleted?: true | undefined;
};

export type CompareListOutput = {
  entries: Difference[];
  counts: {
    only_source: number;
    only_target: number;
    different: number;
    same: number;
  };
  page_meta: AdminPageMeta;
};

export type Difference = {
  record_id: string;
  name: string;
  status: 'only_source' | 'only_target' | 'different';
  source?: ComparedRecord | undefined;
  target?: ComparedRecord | undefined;
  changes: FieldChange[];
};

export type ComparedRecord = {
  record: StoredRecord;
  version: number;
  version_id: string;
};

export type OverviewGetOutput = {
  counts: {
    items: number;
    xp: number;
    deleted: number;
  };
  head_seq: number;
  /** SHA-256, in hexadecimal. */
  head_hash?: string | undefined;
  /** Absent without `session:view`. */
  live_sessions?: number | undefined;
  health: {
    database_ms: number;
  };
};

export type SearchFindOutput = {
  records: FoundRecord[];
  sessions: ({
    type: string;
    session_id: string;
  })[];
  players: FoundPlayer[];
};

export type FoundRecord = {
  kind: RecordKind;
  record_id: string;
  name: string;
  sandbox_id: string;
};

export type FoundPlayer = {
  player_uuid: string;
  display_name?: string | undefined;
  player_id?: number | undefined;
};

/** While it is enabled, the service refuses joins and changes. */
export type Maintenance = {
  enabled: boolean;
  since?: string | undefined;
  account_id?: string | undefined;
  reason?: string | undefined;
  retry_after_seconds?: number | undefined;
};

export type SystemGetOutput = {
  service: {
    version: string;
    runtime: string;
    started: string;
    pid: number;
  };
  database: {
    version: string;
    size_bytes: number;
    connections: number;
    tables: ({
      name: string;
      bytes: number;
      rows_estimate?: number | undefined;
    })[];
  };
  join_metrics: ({
    name: string;
    help: string;
    values: ({
      labels: Record<string, string>;
      value: number;
    })[];
  })[];
  chains: ({
    sandbox_id: string;
    name: string;
    head_seq: number;
    /** SHA-256, in hexadecimal. */
    head_hash?: string | undefined;
  })[];
};

export type SystemSeriesOutput = {
  interval_seconds: number;
  points: SeriesPoint[];
};

export type SeriesPoint = {
  at: string;
  requests_per_second: number;
  /** Responses with a status of 500 or more. */
  errors_per_second: number;
  joins_per_second: number;
  outcomes: Record<string, number>;
  p50_ms?: number | undefined;
  p99_ms?: number | undefined;
  /** The mean duration of a database statement. */
  database_ms?: number | undefined;
  live_sessions?: number | undefined;
  seated_players?: number | undefined;
  /** The age of the oldest pending delivery. */
  webhook_backlog_seconds?: number | undefined;
};

export type VerificationCheckOutput = {
  checked_to_seq: number;
  head_seq: number;
  /** SHA-256, in hexadecimal. */
  head_hash?: string | undefined;
  done: boolean;
  /** The first version that does not fit its hash. */
  broken?: {
    seq: number;
    version_id?: string | undefined;
    what: string;
    expected?: string | undefined;
    found?: string | undefined;
  } | undefined;
};

export type DefaultTeamOutput = {
  team_id: number;
  max_size: number;
};

/** The input and the output of every procedure. */
export type Procedures = {
  /** Describe the caller. Needs a credential, and no permission. */
  'me.get': { input: MeGetInput | undefined; output: Me };
  /** Describe the caller, or return null without a sign-in. An invalid bearer credential is an error here as well. Needs no credential. Errors: `auth_missing` (403), `auth_not_jwt` (403), `auth_token_format` (403), `auth_token_sig_invalid` (403), `auth_token_expired` (403), `auth_token_invalid_claim` (403), `auth_token_unknown` (403), `auth_token_too_large` (403), `auth_session_ended` (403), `origin_refused` (403), `password_change_required` (403), `insufficient_permissions` (403). */
  'me.find': { input: MeFindInput | undefined; output: MeFindOutput };
  /** Change the name of the signed-in person. At most 20 times an hour. Needs a person who is signed in. Errors: `person_not_found` (404). */
  'me.rename': { input: MeRenameInput; output: undefined };
  /** List the open sign-ins of the signed-in person. Needs a person who is signed in. */
  'me.signIns': { input: MeSignInsInput | undefined; output: MeSignInsOutput };
  /** List the identities of the signed-in person. Needs a person who is signed in. */
  'me.identities': { input: MeIdentitiesInput | undefined; output: MeIdentitiesOutput };
  /** End one sign-in, or all others. Needs a person who is signed in. */
  'me.endSignIns': { input: MeEndSignInsInput | undefined; output: MeEndSignInsOutput };
  /** List people and open invitations. Needs `people:manage`. */
  'people.list': { input: PeopleListInput | undefined; output: PeopleListOutput };
  /** Invite a person. Muster sends no e-mail: pass the link on. It is valid once within 7 days. Needs `people:manage`. Errors: `grant_beyond_permissions` (403), `sandbox_not_found` (404), `owner_not_narrowed` (400), `person_exists` (409). */
  'people.invite': { input: PeopleInviteInput; output: PeopleInviteOutput };
  /** Revoke an invitation. Needs `people:manage`. Errors: `invitation_not_found` (404), `grant_beyond_permissions` (403). */
  'people.revokeInvitation': { input: PeopleRevokeInvitationInput; output: undefined };
  /** Change the role of a person. Needs `people:manage`. Errors: `person_not_found` (404), `grant_beyond_permissions` (403), `own_account` (409), `sandbox_not_found` (404), `owner_not_narrowed` (400), `last_owner` (409). */
  'people.setRole': { input: PeopleSetRoleInput; output: undefined };
  /** Disable or enable a person. Needs `people:manage`. Errors: `person_not_found` (404), `grant_beyond_permissions` (403), `own_account` (409), `last_owner` (409). */
  'people.setDisabled': { input: PeopleSetDisabledInput; output: undefined };
  /** Remove a person. The keys of service accounts that the person made remain. Needs `people:manage`. Errors: `person_not_found` (404), `grant_beyond_permissions` (403), `own_account` (409), `last_owner` (409). */
  'people.remove': { input: PeopleRemoveInput; output: undefined };
  /** List the identities of a person. Needs `people:manage`. Errors: `person_not_found` (404). */
  'people.identities': { input: PeopleIdentitiesInput; output: PeopleIdentitiesOutput };
  /** Remove an identity and end every sign-in. Needs `people:manage`. Errors: `person_not_found` (404), `grant_beyond_permissions` (403), `own_account` (409), `identity_not_found` (404). */
  'people.removeIdentity': { input: PeopleRemoveIdentityInput; output: undefined };
  /** Give a person a one-time password. Also removes the identities of the person. Needs `people:manage`. Errors: `person_not_found` (404), `grant_beyond_permissions` (403), `own_account` (409). */
  'people.resetPassword': { input: PeopleResetPasswordInput; output: PeopleResetPasswordOutput };
  /** Remove the second factor of a person. Also removes the identities of the person. Needs `people:manage`. Errors: `person_not_found` (404), `grant_beyond_permissions` (403), `own_account` (409). */
  'people.resetTwoFactor': { input: PeopleResetTwoFactorInput; output: undefined };
  /** Read an invitation by the token of its link. Needs no credential. Errors: `invitation_not_found` (404). */
  'invitations.get': { input: InvitationsGetInput; output: InvitationsGetOutput };
  /** Accept an invitation. Needs no credential. Errors: `invitation_not_found` (404), `person_exists` (409), `password_unfit` (400). */
  'invitations.accept': { input: InvitationsAcceptInput; output: InvitationsAcceptOutput };
  /** List service accounts with their keys. Needs `key:manage`. */
  'keys.list': { input: KeysListInput | undefined; output: KeysListOutput };
  /** Show what a key was used for. Requests that other processes served in the last minute may be missing. Needs `key:manage`. Errors: `key_not_found` (404), `grant_beyond_permissions` (403). */
  'keys.use': { input: KeysUseInput; output: KeysUseOutput };
  /** Create a service account. Needs `key:manage`. Errors: `service_account_exists` (409). */
  'keys.createAccount': { input: KeysCreateAccountInput; output: KeysCreateAccountOutput };
  /** Remove a service account with its keys. Needs `key:manage`. Errors: `service_account_not_found` (404), `grant_beyond_permissions` (403). */
  'keys.removeAccount': { input: KeysRemoveAccountInput; output: undefined };
  /** Create a key. Needs `key:manage`. Errors: `service_account_not_found` (404), `too_many_keys` (409), `grant_beyond_permissions` (403), `sandbox_not_found` (404). */
  'keys.create': { input: KeysCreateInput; output: NewKey };
  /** Replace a key. The new key has the permissions and the life of the old one, which ends after the grace period. Needs `key:manage`. Errors: `key_not_found` (404), `key_revoked` (409), `too_many_keys` (409), `grant_beyond_permissions` (403). */
  'keys.rotate': { input: KeysRotateInput; output: NewKey };
  /** Revoke a key. Every process refuses the key within 5 seconds. Needs `key:manage`. Errors: `key_not_found` (404), `grant_beyond_permissions` (403). */
  'keys.revoke': { input: KeysRevokeInput; output: undefined };
  /** Find the names of accounts. Includes removed accounts. Unknown ids are left out, and so are other people without `people:view` or `people:manage`. Needs a credential, and no permission. */
  'accounts.names': { input: AccountsNamesInput; output: AccountsNamesOutput };
  /** List the sign-in methods besides e-mail and password. Needs no credential. */
  'accounts.signInMethods': { input: AccountsSignInMethodsInput | undefined; output: AccountsSignInMethodsOutput };
  /** List the accounts and actions of the audit trail. Needs `audit:view`. */
  'audit.choices': { input: AuditChoicesInput | undefined; output: AuditChoicesOutput };
  /** Read an audit record. Needs `audit:view`. Errors: `audit_record_not_found` (404). */
  'audit.get': { input: AuditGetInput; output: AuditRecord };
  /** List audit records, newest first. Needs `audit:view`. */
  'audit.list': { input: AuditListInput; output: AuditListOutput };
  /** Register a player. Calling it again with the same input changes nothing. Needs `player:*`. Errors: `player_id_taken` (409). */
  'players.register': { input: PlayersRegisterInput; output: Player };
  /** Delete a player. Frees the legacy id. A deleted player who joins or is invited later is registered again. Needs `player:*`. Errors: `player_not_found` (404), `player_seated` (409). */
  'players.delete': { input: PlayersDeleteInput; output: Deleted };
  /** Read a player. Needs `player:view`. Errors: `player_not_found` (404). */
  'players.get': { input: PlayersGetInput; output: PlayerDetails };
  /** Find the names of players. Players who are not registered are left out. Needs `player:view`. */
  'players.names': { input: PlayersNamesInput; output: PlayersNamesOutput };
  /** List players, newest first. Needs `player:view`. */
  'players.list': { input: PlayersListInput; output: PlayersListOutput };
  /** Count players. Needs `player:view`. */
  'players.count': { input: PlayersCountInput; output: Counted };
  /** List the seats of a player, newest first. Needs `player:view`. */
  'players.sessions': { input: PlayersSessionsInput; output: PlayersSessionsOutput };
  /** List the timeline of a player, newest first. Needs `player:view`. */
  'players.events': { input: PlayersEventsInput; output: PlayersEventsOutput };
  /** List refused joins, newest first. Includes joins that reached no session. Each player has up to 20 entries an hour, kept for 30 days by default and deleted with the player. An entry appears about a second after the response. A page with `platform` or `error_code` stops after 20,000 entries, so it may be short, or even empty, and still have a cursor. Needs `session:view`. */
  'refusedJoins.list': { input: RefusedJoinsListInput; output: RefusedJoinsListOutput };
  /** Create or replace a session type. Replaces the whole type. Its rules apply to live sessions at once. Needs `session:*`. */
  'sessionTypes.upsert': { input: SessionTypeInput; output: SessionType };
  /** Delete a session type. Needs `session:*`. Errors: `session_type_not_found` (404), `session_type_in_use` (409). */
  'sessionTypes.delete': { input: SessionTypesDeleteInput; output: Deleted };
  /** Read a session type. Needs `session:view`. Errors: `session_type_not_found` (404). */
  'sessionTypes.get': { input: SessionTypesGetInput; output: SessionType };
  /** List session types. Needs `session:view`. */
  'sessionTypes.list': { input: SessionTypesListInput | undefined; output: SessionTypesListOutput };
  /** Create a session. Stores the session with the held seats of `players`, or nothing. Absent `teams` are the default teams of the type. An absent `team_id` is the position in the list. A repeated call with the same `session_id` and input returns the session, up to 24 hours after its end. Without `session_id`, each call creates another session. Needs `session:*`. Errors: `session_exists` (409), `session_busy` (409), `session_without_teams` (400), `session_too_large` (422), `platform_session_taken` (409), `session_not_found` (404), `player_id_taken` (409), `team_not_found` (404), `team_full` (409), `session_full` (409). */
  'sessions.create': { input: SessionInput; output: SessionWithEtag };
  /** Create up to 100 sessions. The results have the order of the input. Each creation succeeds or fails independently: the result of a refused one has its `error_code`. Needs `session:*`. */
  'sessions.createMany': { input: SessionsCreateManyInput; output: SessionsCreateManyOutput };
  /** Read a session. With `ended`, reads the last state of an ended session. Needs `session:view`. Errors: `session_not_found` (404). */
  'sessions.get': { input: SessionsGetInput; output: FoundSession };
  /** Read a live or ended session, or null. For polling: an ended or unknown session is a result, not an error. Needs `session:view`. */
  'sessions.find': { input: SessionsFindInput; output: SessionsFindOutput };
  /** Wait for a change of a session. A long poll. Replies at once unless `if_none_match` is the current ETag; then it waits for a change, or replies `unchanged` after `wait_seconds`. Two responses about one session to the same caller are at least 250 ms apart. Does not wait in a batch. Needs `session:view`. */
  'sessions.watch': { input: SessionsWatchInput; output: SessionsWatchOutput };
  /** List sessions, newest first. A filter that reads each session stops after 20,000, so a page may be short, or even empty, and still have a cursor. Needs `session:view`. */
  'sessions.list': { input: SessionsListInput; output: SessionsListOutput };
  /** Count sessions. Exact up to 10,000 and among the newest 20,000. Needs `session:view`. */
  'sessions.count': { input: SessionsCountInput; output: Counted };
  /** Change a session. An absent field is unchanged, null clears it. A team cannot become smaller than its seats. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `session_etag_mismatch` (409), `team_in_use` (409). */
  'sessions.update': { input: SessionsUpdateInput; output: SessionWithEtag };
  /** Register a platform session of a session. Registering it again with other content needs `replace`. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `session_etag_mismatch` (409), `platform_session_exists` (409), `platform_session_taken` (409). */
  'sessions.addPlatformSession': { input: SessionsAddPlatformSessionInput; output: SessionWithEtag };
  /** Remove a platform session. Removing an unknown one changes nothing. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `session_etag_mismatch` (409). */
  'sessions.removePlatformSession': { input: SessionsRemovePlatformSessionInput; output: SessionWithEtag };
  /** Set or remove the instance of a session. The host of an instance changes only with a new `instance_id`. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `session_etag_mismatch` (409), `instance_transition` (409). */
  'sessions.setInstance': { input: SessionsSetInstanceInput; output: SessionWithEtag };
  /** Change the state or the health of the instance. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `session_etag_mismatch` (409), `instance_not_found` (404), `instance_transition` (409). */
  'sessions.setInstanceStatus': { input: SessionsSetInstanceStatusInput; output: SessionWithEtag };
  /** Hold a seat for a player. Registers the player. Inviting a player with a held seat replaces its terms. A player removed with `prevent_rejoin` may join again. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `team_not_found` (404), `team_full` (409), `session_full` (409), `session_etag_mismatch` (409), `player_id_taken` (409), `player_seated` (409). */
  'sessions.invitePlayer': { input: SessionsInvitePlayerInput; output: SessionWithEtag };
  /** Hold seats for a party. Holds the seats of all players or of none. Registers the players. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `team_not_found` (404), `team_full` (409), `session_full` (409), `session_etag_mismatch` (409), `player_id_taken` (409), `player_seated` (409). */
  'sessions.invitePlayers': { input: SessionsInvitePlayersInput; output: SessionWithEtag };
  /** Exchange the teams of two players. Works in full teams as well. Nothing changes when both players are in the same team. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `session_etag_mismatch` (409), `seat_not_found` (404). */
  'sessions.swapPlayers': { input: SessionsSwapPlayersInput; output: SessionWithEtag };
  /** Remove a player from a session. The member who has been seated longest succeeds a leader. With `prevent_rejoin`, every join of the player is 403 `player_removed` until a new invitation. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `session_etag_mismatch` (409), `seat_not_found` (404). */
  'sessions.removePlayer': { input: SessionsRemovePlayerInput; output: SessionWithEtag };
  /** Move a player to another team. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `team_not_found` (404), `team_full` (409), `session_full` (409), `session_etag_mismatch` (409), `seat_not_found` (404). */
  'sessions.movePlayer': { input: SessionsMovePlayerInput; output: SessionWithEtag };
  /** Make a player the leader. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `session_etag_mismatch` (409), `seat_not_found` (404), `seat_held` (409). */
  'sessions.promotePlayer': { input: SessionsPromotePlayerInput; output: SessionWithEtag };
  /** Mark a seated player absent or present. The mark is not part of the session and does not change its ETag. A join removes it. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `session_etag_mismatch` (409), `seat_not_found` (404), `seat_held` (409). */
  'sessions.setPresence': { input: SessionsSetPresenceInput; output: SessionWithEtag };
  /** End a session. Frees its platform sessions and its id. Its timeline remains. Ending it again returns the ended session. With `if_empty`, a session with a taken or held seat is refused. Needs `session:*`. Errors: `session_not_found` (404), `session_busy` (409), `session_too_large` (422), `session_etag_mismatch` (409), `session_not_empty` (409). */
  'sessions.end': { input: SessionsEndInput; output: SessionWithEtag };
  /** End one page of the sessions that match. Call it with the returned cursor until there is none. Each session has an audit record of `sessions.end` with the reason. Needs `session:*`. */
  'sessions.endMatching': { input: SessionsEndMatchingInput; output: SessionsEndMatchingOutput };
  /** Delete an ended session with its timeline. Needs `session:*`. Errors: `session_not_found` (404), `session_not_ended` (409), `session_etag_mismatch` (409). */
  'sessions.delete': { input: SessionsDeleteInput; output: Deleted };
  /** Join a player and show the response of the public endpoint. A real join in the name of the caller. A refusal is a `status` of the result, not an error. Needs `session:*` or `session:update-player:any`. */
  'sessions.tryJoin': { input: SessionsTryJoinInput; output: TriedJoin };
  /** List the timeline of a session, newest first. Includes refused joins and ended sessions. Needs `session:view`. */
  'sessions.events': { input: SessionsEventsInput; output: SessionsEventsOutput };
  /** Read the feed of changes. Returns every event at least once, and in order for each session. Pass `page_meta.cursor` to continue, even after a page without events: the cursor moves past events that the filters leave out. Events are kept for 7 days. Only callers who may view a sandbox receive its edits. Refused joins are those of the timeline, and may come after later events. With `wait_seconds` it is a long poll, but not in a batch. Needs `session:view`. Errors: `cursor_expired` (400). */
  'events.list': { input: EventsListInput; output: EventsListOutput };
  /** List webhooks. Needs `webhook:manage`. */
  'webhooks.list': { input: WebhooksListInput | undefined; output: WebhooksListOutput };
  /** Read a webhook. Needs `webhook:manage`. Errors: `webhook_not_found` (404). */
  'webhooks.get': { input: WebhooksGetInput; output: Webhook };
  /** Create a webhook. It receives the events that happen from now on. The kind `audit_recorded` needs `audit:view` as well. Needs `webhook:manage`. Errors: `webhook_url_refused` (400), `too_many_webhooks` (409). */
  'webhooks.create': { input: WebhooksCreateInput; output: NewWebhook };
  /** Change the URL or the kinds of events. A webhook for audit records needs `audit:view` as well, and keeps its kind. Needs `webhook:manage`. Errors: `webhook_not_found` (404), `webhook_version_conflict` (409), `webhook_url_refused` (400). */
  'webhooks.update': { input: WebhooksUpdateInput; output: Webhook };
  /** Make a new signing secret. During the overlap, each request has the signatures of both secrets. Needs `webhook:manage`. Errors: `webhook_not_found` (404). */
  'webhooks.rotateSecret': { input: WebhooksRotateSecretInput; output: NewWebhook };
  /** Enable a webhook. Continues where it stopped. The feed keeps events for 7 days, and the audit trail for `AUDIT_RETENTION_DAYS`. Needs `webhook:manage`. Errors: `webhook_not_found` (404). */
  'webhooks.enable': { input: WebhooksEnableInput; output: Webhook };
  /** Disable a webhook. Needs `webhook:manage`. Errors: `webhook_not_found` (404). */
  'webhooks.disable': { input: WebhooksDisableInput; output: Webhook };
  /** Delete a webhook with its deliveries. Needs `webhook:manage`. Errors: `webhook_not_found` (404). */
  'webhooks.delete': { input: WebhooksDeleteInput; output: Deleted };
  /** Send a test to a webhook. Sends a message of the type `muster.test` without events, once. Needs `webhook:manage`. Errors: `webhook_not_found` (404), `webhook_secret_unreadable` (409). */
  'webhooks.test': { input: WebhooksTestInput; output: WebhooksTestOutput };
  /** List deliveries, newest first. Ended deliveries are kept for 7 days, at most 10,000 of a webhook. Needs `webhook:manage`. Errors: `webhook_not_found` (404). */
  'webhooks.listDeliveries': { input: WebhooksListDeliveriesInput; output: WebhooksListDeliveriesOutput };
  /** Send a delivery again. Needs `webhook:manage`. Errors: `webhook_not_found` (404), `delivery_not_found` (404). */
  'webhooks.resend': { input: WebhooksResendInput; output: Webhook };
  /** Enable a webhook and resend its events since a given time. Pending deliveries end, since new ones contain their events. Needs `webhook:manage`. Errors: `webhook_not_found` (404). */
  'webhooks.resume': { input: WebhooksResumeInput; output: Webhook };
  /** Create a sandbox. Needs `sandbox:*`. Errors: `sandbox_exists` (409). */
  'sandboxes.create': { input: SandboxesCreateInput; output: Sandbox };
  /** Rename a sandbox, or change its protection or review. A sandbox that becomes protected requires one approval, unless `required_approvals` says otherwise. Needs `sandbox:*`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409). */
  'sandboxes.update': { input: SandboxesUpdateInput; output: Sandbox };
  /** Archive a sandbox. An archived sandbox is read-only. Needs `sandbox:*`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409). */
  'sandboxes.archive': { input: SandboxesArchiveInput; output: Sandbox };
  /** Take a sandbox out of the archive. Needs `sandbox:*`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_busy` (409). */
  'sandboxes.unarchive': { input: SandboxesUnarchiveInput; output: Sandbox };
  /** Delete a sandbox. Always needs the name of the sandbox. It can be restored until its retention ends. Needs `sandbox:*`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409). */
  'sandboxes.delete': { input: SandboxesDeleteInput; output: Sandbox };
  /** Undo the deletion of a sandbox. Needs `sandbox:*`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_busy` (409). */
  'sandboxes.restore': { input: SandboxesRestoreInput; output: Sandbox };
  /** Purge a deleted sandbox now. For owners, with the name of the sandbox. Its history is empty at once, and cannot be restored. Needs `*`. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409). */
  'sandboxes.purge': { input: SandboxesPurgeInput; output: SandboxesPurgeOutput };
  /** Read a sandbox. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'sandboxes.get': { input: SandboxesGetInput; output: Sandbox };
  /** List the sandboxes that the caller may view. Needs a credential, and no permission. */
  'sandboxes.list': { input: SandboxesListInput; output: SandboxesListOutput };
  /** Create an Item. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `record_not_found` (404), `record_exists` (409), `record_deleted` (409), `record_version_conflict` (409), `legacy_id_taken` (409), `version_not_found` (404), `review_required` (409), `custom_data_invalid` (422). */
  'items.create': { input: ItemsCreateInput; output: EditedItem };
  /** Change an Item. An absent field is unchanged, null clears it. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `record_not_found` (404), `record_exists` (409), `record_deleted` (409), `record_version_conflict` (409), `legacy_id_taken` (409), `version_not_found` (404), `review_required` (409), `custom_data_invalid` (422). */
  'items.update': { input: ItemsUpdateInput; output: EditedItem };
  /** Delete an Item. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `record_not_found` (404), `record_exists` (409), `record_deleted` (409), `record_version_conflict` (409), `legacy_id_taken` (409), `version_not_found` (404), `review_required` (409), `custom_data_invalid` (422). */
  'items.delete': { input: ItemsDeleteInput; output: ItemRecord };
  /** Restore an Item. Undeletes the record, or returns it to the version `version_id`. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `record_not_found` (404), `record_exists` (409), `record_deleted` (409), `record_version_conflict` (409), `legacy_id_taken` (409), `version_not_found` (404), `review_required` (409), `custom_data_invalid` (422). */
  'items.restore': { input: ItemsRestoreInput; output: EditedItem };
  /** Edit many records at once. All operations or none are written, as one transaction of the history. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `record_not_found` (404), `record_exists` (409), `record_deleted` (409), `record_version_conflict` (409), `legacy_id_taken` (409), `version_not_found` (404), `review_required` (409), `custom_data_invalid` (422). */
  'items.bulk': { input: ItemsBulkInput; output: ItemsBulkOutput };
  /** Read an Item. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `record_not_found` (404). */
  'items.get': { input: ItemsGetInput; output: ItemRecord };
  /** List records. The first page has the total, up to 100,000; with `where` up to 10,000. All filters combine with AND. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'items.list': { input: ItemsListInput; output: ItemsListOutput };
  /** Create an Xp table. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `record_not_found` (404), `record_exists` (409), `record_deleted` (409), `record_version_conflict` (409), `legacy_id_taken` (409), `version_not_found` (404), `review_required` (409), `custom_data_invalid` (422). */
  'xp.create': { input: XpCreateInput; output: XpRecord };
  /** Change an Xp table. An absent field is unchanged, null clears it. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `record_not_found` (404), `record_exists` (409), `record_deleted` (409), `record_version_conflict` (409), `legacy_id_taken` (409), `version_not_found` (404), `review_required` (409), `custom_data_invalid` (422). */
  'xp.update': { input: XpUpdateInput; output: XpRecord };
  /** Delete an Xp table. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `record_not_found` (404), `record_exists` (409), `record_deleted` (409), `record_version_conflict` (409), `legacy_id_taken` (409), `version_not_found` (404), `review_required` (409), `custom_data_invalid` (422). */
  'xp.delete': { input: XpDeleteInput; output: XpRecord };
  /** Restore an Xp table. Undeletes the record, or returns it to the version `version_id`. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `record_not_found` (404), `record_exists` (409), `record_deleted` (409), `record_version_conflict` (409), `legacy_id_taken` (409), `version_not_found` (404), `review_required` (409), `custom_data_invalid` (422). */
  'xp.restore': { input: XpRestoreInput; output: XpRecord };
  /** Edit many records at once. All operations or none are written, as one transaction of the history. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `record_not_found` (404), `record_exists` (409), `record_deleted` (409), `record_version_conflict` (409), `legacy_id_taken` (409), `version_not_found` (404), `review_required` (409), `custom_data_invalid` (422). */
  'xp.bulk': { input: XpBulkInput; output: XpBulkOutput };
  /** Read an Xp table. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `record_not_found` (404). */
  'xp.get': { input: XpGetInput; output: XpRecord };
  /** List records. The first page has the total, up to 100,000; with `where` up to 10,000. All filters combine with AND. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'xp.list': { input: XpListInput; output: XpListOutput };
  /** List the schemas of a sandbox. Of every item type that has had a schema. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'itemSchemas.list': { input: ItemSchemasListInput; output: ItemSchemasListOutput };
  /** Read the schema of an item type. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'itemSchemas.get': { input: ItemSchemasGetInput; output: ItemSchema };
  /** Change the schema of an item type. Replaces all fields and changes no Item. It needs no review. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `item_schema_conflict` (409). */
  'itemSchemas.set': { input: ItemSchemasSetInput; output: ItemSchema };
  /** Copy a schema from another sandbox. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `sandbox_busy` (409), `item_schema_conflict` (409). */
  'itemSchemas.promote': { input: ItemSchemasPromoteInput; output: ItemSchema };
  /** List the versions of a schema. The newest first. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'itemSchemas.history': { input: ItemSchemasHistoryInput; output: ItemSchemasHistoryOutput };
  /** List Items with values that do not fit. Sorted by id. A call reads at most 5,000 Items, so a page with a cursor can be short or empty. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'itemSchemas.problems': { input: ItemSchemasProblemsInput; output: ItemSchemasProblemsOutput };
  /** List versions. Filters combine with AND. The first page fixes which versions the walk covers. The total is exact, and absent over 10,000. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'versions.list': { input: VersionsListInput; output: VersionsListOutput };
  /** Read a version with its record. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `version_not_found` (404). */
  'versions.get': { input: VersionsGetInput; output: VersionDetails };
  /** Compare two versions of a record. Without `from_version_id`, compares with the version before. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `version_not_found` (404). */
  'versions.diff': { input: VersionsDiffInput; output: VersionsDiffOutput };
  /** List edits. Newest first. An edit is everything that one transaction wrote, whichever procedure it was. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'edits.list': { input: EditsListInput; output: EditsListOutput };
  /** Create a change set that reverts an edit. The change set is a draft: it changes no record until it is applied. It has at most 50,000 operations. A legacy id that the edit set is kept. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `edit_not_found` (404). */
  'edits.revert': { input: EditsRevertInput; output: ChangeSet };
  /** Create a change set. The change set is a draft: it changes no record until it is applied. It has at most 50,000 operations. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_exists` (409). */
  'changeSets.create': { input: ChangeSetsCreateInput; output: ChangeSet };
  /** Read a change set. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `change_set_not_found` (404). */
  'changeSets.get': { input: ChangeSetsGetInput; output: ReviewedChangeSet };
  /** List change sets. The last updated first. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'changeSets.list': { input: ChangeSetsListInput; output: ChangeSetsListOutput };
  /** Change the title or the reason. An absent member is unchanged, null clears the reason. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409). */
  'changeSets.update': { input: ChangeSetsUpdateInput; output: ChangeSet };
  /** Add operations. They are checked when the set is applied. An operation for the same record is replaced. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409). */
  'changeSets.addOperations': { input: ChangeSetsAddOperationsInput; output: ChangeSet };
  /** Add a change of all matching records. The service finds the records, and adds an operation for each that changes. A change that cannot be computed for a record, such as 0.8 times a text, is shown as a problem in the preview. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409), `body_too_large` (413). */
  'changeSets.addMatching': { input: ChangeSetsAddMatchingInput; output: ChangeSet };
  /** Remove operations. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409). */
  'changeSets.removeOperations': { input: ChangeSetsRemoveOperationsInput; output: ChangeSet };
  /** Cancel a change set. It stays in the list without its operations, and can no longer be changed or applied. With `discard`, a draft without comments is deleted; a set in another state is refused. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409). */
  'changeSets.cancel': { input: ChangeSetsCancelInput; output: ChangeSet };
  /** Create a change set that returns records to a moment. The change set is a draft: it changes no record until it is applied. It has at most 50,000 operations. It restores the records that existed then and have changed or been deleted since. Records created since then are unchanged, and legacy ids are kept. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409). */
  'changeSets.restorePast': { input: ChangeSetsRestorePastInput; output: ChangeSet };
  /** Create a change set that copies records from another sandbox. The change set is a draft: it changes no record until it is applied. It has at most 50,000 operations. It creates, changes, restores and deletes records, so that they are as in the source. A record that the source has never had is shown as a problem in the preview. Legacy ids that the source lacks are kept. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `body_too_large` (413). */
  'changeSets.promote': { input: ChangeSetsPromoteInput; output: ChangeSet };
  /** Preview a change set. Shows what each operation would do to the records as they are now. A record that changed since the base version is merged field by field. `warnings` list Xp tables that are missing or that Items still use, and values that do not fit a schema. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `change_set_not_found` (404). */
  'changeSets.preview': { input: ChangeSetsPreviewInput; output: ChangeSetsPreviewOutput };
  /** Schedule a change set. The service applies it at `apply_at` and reverts it at `return_at`, by the clock of the database, in the name of the caller. The caller must be a person or an API key, and must still have the permission at that moment. A step that cannot be done within 15 minutes is not done: see `failure`. A change of a scheduled set makes it a draft again. In a sandbox that requires approvals, those who created or changed the set cannot give it a return. In a protected sandbox, promotions, deletions, imports that change records, and a `return_at` of a set that creates records need `confirm_sandbox_name`. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `review_required` (409), `own_change` (403). */
  'changeSets.schedule': { input: ChangeSetsScheduleInput; output: ChangeSet };
  /** Remove the schedule of a change set. A scheduled set returns to `approved`, or to `draft` if it has no approvals. An applied set stays applied, and is not reverted; in a sandbox that requires approvals, those who created or changed the set cannot do that. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409), `own_change` (403). */
  'changeSets.unschedule': { input: ChangeSetsUnscheduleInput; output: ChangeSet };
  /** Acknowledge a failed schedule. The web app no longer shows the failure on every page of the sandbox. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `change_set_not_found` (404), `sandbox_busy` (409). */
  'changeSets.acknowledge': { input: ChangeSetsAcknowledgeInput; output: ChangeSet };
  /** Create a change set that reverts an applied one. The same as `edits.revert` of its transaction. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `edit_not_found` (404), `change_set_not_found` (404), `change_set_closed` (409). */
  'changeSets.revert': { input: ChangeSetsRevertInput; output: ChangeSet };
  /** Submit a change set for review. A later change of its operations, title or reason returns it to a draft. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409). */
  'changeSets.submit': { input: ChangeSetsSubmitInput; output: ChangeSet };
  /** Approve a change set. Only for people, and not for those who created or changed the set. It is approved once it has as many approvals as the sandbox requires, and at least one. Needs `sandbox:config:approve`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409), `own_change` (403). */
  'changeSets.approve': { input: ChangeSetsApproveInput; output: ChangeSet };
  /** Reject a change set. Only for people. Withdraws the approvals. It can be submitted again, also after changes. Needs `sandbox:config:approve`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409). */
  'changeSets.reject': { input: ChangeSetsRejectInput; output: ChangeSet };
  /** Comment on a change set. In any state. A change set has at most 1,000 comments. Needs `sandbox:config:edit` or `sandbox:config:approve`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `change_set_not_found` (404), `sandbox_busy` (409). */
  'changeSets.comment': { input: ChangeSetsCommentInput; output: ChangeSetComment };
  /** List the comments of a change set. With approvals, rejections and bypasses of the review, oldest first. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `change_set_not_found` (404). */
  'changeSets.comments': { input: ChangeSetsCommentsInput; output: ChangeSetsCommentsOutput };
  /** Apply a change set. Writes all operations as one transaction. If an operation has a problem, nothing is written: `change_set_conflict` has the number of `problems`, and `record_id` and `problem_code` of the first one. Applying an applied set again returns the same response. In a sandbox that requires approvals, the set needs that many that count; `bypass_reason` of an owner replaces them. In a protected sandbox, promotions, deletions, and imports that change records need `confirm_sandbox_name`. Needs `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `change_set_not_found` (404), `change_set_closed` (409), `change_set_revision_conflict` (409), `sandbox_busy` (409), `sandbox_protected` (403), `sandbox_confirmation_required` (409), `change_set_conflict` (409), `review_required` (409). */
  'changeSets.apply': { input: ChangeSetsApplyInput; output: ChangeSetsApplyOutput };
  /** List saved views. By name: those of the caller, and the shared ones. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'views.list': { input: ViewsListInput; output: ViewsListOutput };
  /** Save a view. A shared view needs `sandbox:config:edit`, also to change or remove it. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `too_many_views` (409). */
  'views.create': { input: ViewsCreateInput; output: SavedView };
  /** Change a saved view. Absent members are unchanged. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `too_many_views` (409), `view_not_found` (404). */
  'views.update': { input: ViewsUpdateInput; output: SavedView };
  /** Remove a saved view. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404), `sandbox_archived` (409), `view_not_found` (404). */
  'views.remove': { input: ViewsRemoveInput; output: ViewsRemoveOutput };
  /** List the records of a moment. By id, without records that were deleted at that moment. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'records.asOf': { input: RecordsAsOfInput; output: RecordsAsOfOutput };
  /** List the differences of two sandboxes, or of a sandbox since a time. Records match by id. `changes` turn the target's record into the source's. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'compare.list': { input: CompareListInput; output: CompareListOutput };
  /** Summarise a sandbox. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'overview.get': { input: OverviewGetInput; output: OverviewGetOutput };
  /** Find records, sessions and players. Finds only what the caller may view. Needs a credential, and no permission. */
  'search.find': { input: SearchFindInput; output: SearchFindOutput };
  /** Read whether maintenance is on. The token of a player does not see `reason` and `account_id`. Needs a credential, and no permission. */
  'maintenance.get': { input: MaintenanceGetInput | undefined; output: Maintenance };
  /** Switch maintenance on or off. Every process follows within three seconds. During maintenance, joins get 409 `service_overloaded`, and changes 503 `service_unavailable`, with `Retry-After`; reads, sign-in, revocation and recovery are not affected. Needs `*`. */
  'maintenance.set': { input: MaintenanceSetInput; output: Maintenance };
  /** Read facts about this process and its database. Needs `metrics:view`. */
  'system.get': { input: SystemGetInput | undefined; output: SystemGetOutput };
  /** Read the activity of the last minutes. Of all processes together, in intervals of 1 minute (up to 120 minutes), 10 minutes (up to a day) or 1 hour. The last interval ended at least 20 seconds ago. Needs `metrics:view`. */
  'system.series': { input: SystemSeriesInput | undefined; output: SystemSeriesOutput };
  /** Verify a part of the hash chain of a sandbox. Call it with `checked_to_seq` as `after_seq` until `done`. Needs `sandbox:config:view` or `sandbox:config:edit`, for all sandboxes or for this one. Errors: `sandbox_not_found` (404). */
  'verification.check': { input: VerificationCheckInput; output: VerificationCheckOutput };
};
