// Generated from the contract by "npm run generate -w @muster/client"; do not edit.

/** The request that looks for more players. */
export type Backfill = {
  /** 1..4096 characters. */
  backfill_id: string;
  /** Used when acknowledging backfill requests. */
  extensions?: CustomData | undefined;
};

/** Listing data in the session browser. */
export type Browser = {
  custom_data?: CustomData | undefined;
};

/** The platform and input device of a seat's player. */
export type ClientSettings = {
  /** @deprecated Read `platform`. */
  platform_id?: number | undefined;
  platform?: Platform | undefined;
  input: InputDevice;
};

/** The platform and input device of the joining client. At least one of `platform` and `platform_id` is required. */
export type ClientSettingsInput = {
  /** @deprecated Send `platform`. Ignored when `platform` is given. */
  platform_id?: PlatformId | undefined;
  platform?: Platform | undefined;
  input: InputDevice;
};

/** Whom the player agrees to play with. When absent, as permissive as possible. */
export type CrossplayPreferences = {
  permitted_platform: PermittedPlatform;
  permitted_input: PermittedInput;
};

/** Strings by name, for games to use: at most 20 KiB of UTF-8 in all, keys and values together. */
export type CustomData = Record<string, string>;

/** How the instance is hosted. */
export type HostType = 'dedicated' | 'player' | 'preallocated';

/** How the player controls the game. */
export type InputDevice = 'keyboardandmouse' | 'gamepad' | 'touch';

/** The host that runs the session. */
export type Instance = {
  /** 1..128 characters. */
  allocation_id?: string | undefined;
  /** Unique id of the relationship of host and session. 1..128 characters. */
  instance_id: string;
  host_type: HostType;
  /** When the host type is player. */
  host_player_id?: number | undefined;
  /** When the host type is player. */
  host_player_uuid?: string | undefined;
  /** At most 4096 characters. */
  host_dedicated_process_id?: string | undefined;
  /** At most 4096 characters. */
  host_dedicated_server_id?: string | undefined;
  join_status: JoinStatus;
  join_params?: JoinParams | undefined;
  instance_startup_params?: InstanceStartupParams | undefined;
  /** Client version of the product, which the versions of joining players are held against. At most 256 characters. */
  version?: string | undefined;
  custom_data?: CustomData | undefined;
  instance_health?: InstanceHealth | undefined;
  /** Profile that the instance was spawned from. 1..128 characters. */
  match_making_profile_id?: string | undefined;
  /** At most 4096 characters. */
  match_id?: string | undefined;
  created: string;
};

/** How well the instance does. */
export type InstanceHealth = 'healthy' | 'unhealthy' | 'degraded' | 'unknown';

/** What the instance was started with. */
export type InstanceStartupParams = {
  /** At most 4096 characters. */
  map: string;
  /** At most 4096 characters. */
  mode?: string | undefined;
  /** Extra command-line parameters. At most 4096 characters. */
  misc_params: string;
  custom_data?: CustomData | undefined;
};

/** How a client connects to the instance. */
export type JoinParams = {
  /** At most 4096 characters. */
  public_conn_str: string;
  /** At most 4096 characters. */
  private_conn_str: string;
  custom_data?: CustomData | undefined;
};

/** A player updating information about themselves. */
export type JoinRequest = {
  /** The status that the player wants after the request; member when absent. leader is a wish: a join promotes to leader where there is none, or for a caller who may act for any player. Only such a caller may ask for invited or reserved. */
  status?: PlayerStatus | undefined;
  /** Version of the client, in Semantic Versioning 2.0.0. At most 256 characters. */
  client_version: string;
  client_settings: ClientSettingsInput;
  /** Team that the player is on. One that the session does not have is a 422. */
  team_id: number;
  crossplay_preferences?: CrossplayPreferences | undefined;
  /** Defined by the player. */
  custom_data?: CustomData | undefined;
};

/** Whether the instance takes players now. While it is unjoinable, and once it is closed, joins of players without a seat are refused. Once it is closed, seated players keep their seats but cannot change teams. A closed instance never opens again, but the session may get a new one. */
export type JoinStatus =
  | 'requested'
  | 'allocated'
  | 'pending'
  | 'joinable'
  | 'unjoinable'
  | 'closed';

/** See MatchmakingResults. */
export type Match = {
  /** At most 4096 characters. */
  match_id: string;
  custom_data?: CustomData | undefined;
  ticket_ids: string[];
  created: string;
};

/** Present while the session is matchmaking. */
export type Matchmaking = {
  /** Id of this matchmaking attempt. At most 4096 characters. */
  ticket_id: string;
  custom_data?: CustomData | undefined;
  /** 1..128 characters. */
  queue_id?: string | undefined;
};

/** The decisions of matchmaking for the session. */
export type MatchmakingResults = {
  /** At most 4096 characters. */
  match_making_id: string;
  custom_data?: CustomData | undefined;
  ticket_ids: string[];
  /** Whether the tickets of these results were assigned. */
  tickets_assigned?: boolean | undefined;
  created: string;
};

/** The input devices that the player agrees to play against. */
export type PermittedInput =
  | 'desired_inputs_any'
  | 'desired_inputs_keyboardandmouse'
  | 'desired_inputs_gamepad'
  | 'desired_inputs_touch';

/** The platforms that the player agrees to play with: xboxlike permits XboxLive only, playstationlike PSN only. */
export type PermittedPlatform =
  | 'desired_platforms_any'
  | 'desired_platforms_xboxlike'
  | 'desired_platforms_playstationlike';

/** A platform that players come from and that hosts platform sessions. */
export type Platform =
  | 'Anon'
  | 'Basic'
  | 'XboxLive'
  | 'PSN'
  | 'NintendoNAID'
  | 'NintendoSwitch'
  | 'NintendoPPID'
  | 'Google'
  | 'GooglePlay'
  | 'Apple'
  | 'Epic'
  | 'Steam'
  | 'Amazon'
  | 'Twitch'
  | 'Muster'
  | 'LegacyName';

/** The number that older clients send in place of a platform's name: 2 Anon, 4 Amazon, 5 Steam, 9 PSN, 10 XboxLive, 11 Basic, 13 Google, 16 Twitch, 22 NintendoSwitch, 24 Apple, 26 NintendoNAID, 28 Epic. */
export type PlatformId = number;

/** A player of a platform session. */
export type PlatformPlayer = {
  player_id?: number | undefined;
  player_uuid: string;
  /** Leadership is coordinated when all players of the parent session come from the same platform session. */
  leader?: boolean | undefined;
};

/** A child session that lives on a platform. */
export type PlatformSession = {
  platform: Platform;
  /** Platform-specific id of the platform's template. 1..128 characters. */
  platform_session_type: string;
  /** Unique id of the platform session. The standard and the URL-safe alphabet, with and without padding, name the same one. 1..4096 characters. */
  platform_session_id_base64: string;
  /** @deprecated Platform sessions no longer track players. Always empty. */
  players: PlatformPlayer[];
  custom_data?: CustomData | undefined;
};

/** leader and member hold a seat; invited and reserved keep one for a player who has not arrived. */
export type PlayerStatus = 'leader' | 'member' | 'invited' | 'reserved';

/** A multiplayer session with its teams and seats. */
export type Session = {
  /** Template type. 1..128 characters. */
  type: string;
  /** Unique within its type. 1..128 characters. */
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
  /** Preferred region. 1..128 characters. */
  region_id?: string | undefined;
  created_by_matchmaking?: boolean | undefined;
};

/** A player with a seat, or with one held. */
export type SessionPlayer = {
  /** Legacy id. */
  player_id?: number | undefined;
  player_uuid: string;
  status: PlayerStatus;
  /** Sender of the invite, if any. */
  inviting_player_uuid?: string | undefined;
  /** Session that the player was invited from. 1..128 characters. */
  source_session_id?: string | undefined;
  /** Defined by the player. */
  custom_data?: CustomData | undefined;
  /** Version of the player's client. At most 256 characters. */
  version?: string | undefined;
  client_settings?: ClientSettings | undefined;
  crossplay_preferences?: CrossplayPreferences | undefined;
  /** When a seat was first held for the player, if one was. */
  invited?: string | undefined;
  /** When the player first took the seat; absent while it is only held. */
  joined?: string | undefined;
};

/** A team with its players and its number of seats. */
export type Team = {
  players: SessionPlayer[];
  /** Number of seats. Held ones (invited, reserved) are taken too. 1..100. */
  max_size: number;
  /** What a join names as `team_id`. */
  team_id?: number | undefined;
  /** Tickets assigned to the team. */
  ticket_ids?: string[] | undefined;
  custom_data?: CustomData | undefined;
};
