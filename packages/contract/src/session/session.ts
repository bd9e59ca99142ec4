// The session resource: what a join answers and what admins see.
import { z } from 'zod';
import { Platform, PlatformSessionId } from '../platform.ts';
import { DateTime, Integer, Semver, ShortId, StringMap, TeamId, text, Uuid } from '../strings.ts';
import { ClientSettings, CrossplayPreferences } from './client-settings.ts';
import { Backfill, Browser, Instance, Match, Matchmaking, MatchmakingResults } from './instance.ts';
import { PlayerStatus } from './join-request.ts';

export const SessionPlayer = z
  .object({
    player_id: Integer.optional().meta({ description: 'Legacy id.' }),
    player_uuid: Uuid,
    status: PlayerStatus,
    inviting_player_uuid: Uuid.optional().meta({ description: 'Sender of the invite, if any.' }),
    source_session_id: ShortId.optional().meta({
      description: 'Session that the player was invited from.',
    }),
    custom_data: StringMap.optional().meta({ description: 'Defined by the player.' }),
    version: Semver.optional().meta({ description: "Version of the player's client." }),
    client_settings: ClientSettings.optional(),
    crossplay_preferences: CrossplayPreferences.optional(),
    invited: DateTime.optional().meta({
      description: 'When a seat was first held for the player, if one was.',
    }),
    joined: DateTime.optional().meta({
      description: 'When the player first took the seat; absent while it is only held.',
    }),
  })
  .meta({ id: 'SessionPlayer', description: 'A player with a seat, or with one held.' });
export type SessionPlayer = z.infer<typeof SessionPlayer>;

export const Team = z
  .object({
    players: z.array(SessionPlayer),
    max_size: z.int().min(1).max(100).meta({
      description: 'Number of seats. Held ones (invited, reserved) are taken too.',
    }),
    team_id: TeamId.optional().meta({ description: 'What a join names as `team_id`.' }),
    ticket_ids: z.array(text(0, 4096)).optional().meta({
      description: 'Tickets assigned to the team.',
    }),
    custom_data: StringMap.optional(),
  })
  .meta({ id: 'Team', description: 'A team with its players and its number of seats.' });
export type Team = z.infer<typeof Team>;

export const PlatformPlayer = z
  .object({
    player_id: Integer.optional(),
    player_uuid: Uuid,
    leader: z.boolean().optional().meta({
      description:
        'Leadership is coordinated when all players of the parent session come from the same platform session.',
    }),
  })
  .meta({ id: 'PlatformPlayer', description: 'Deprecated: a player of a platform session.' });

export const PlatformSession = z
  .object({
    platform: Platform,
    platform_session_type: ShortId.meta({
      description: "Platform-specific id of the platform's template.",
    }),
    platform_session_id_base64: PlatformSessionId,
    players: z.array(PlatformPlayer).meta({
      deprecated: true,
      description: 'Deprecated: platform sessions no longer track players. Always empty.',
    }),
    custom_data: StringMap.optional(),
  })
  .meta({ id: 'PlatformSession', description: 'A child session that lives on a platform.' });
export type PlatformSession = z.infer<typeof PlatformSession>;

export const Session = z
  .object({
    type: ShortId.meta({ description: 'Template type.' }),
    session_id: ShortId.meta({ description: 'Unique within its type.' }),
    instance: Instance.optional(),
    match: Match.optional().meta({ deprecated: true }),
    matchmaking_results: MatchmakingResults.optional(),
    matchmaking: Matchmaking.optional(),
    backfill: Backfill.optional(),
    browser: Browser.optional(),
    joinable: z.boolean().meta({ description: 'True when players may join without an invite.' }),
    teams: z.array(Team),
    platform_session: z.array(PlatformSession).default([]).meta({
      description: 'A player who joins one of these implicitly joins the parent session.',
    }),
    custom_data: StringMap.optional().meta({
      description: 'Defined by the leader or by the instance.',
    }),
    created: DateTime,
    region_id: ShortId.optional().meta({ description: 'Preferred region.' }),
    created_by_matchmaking: z.boolean().optional(),
  })
  .meta({ id: 'Session', description: 'A multiplayer session with its teams and seats.' });
export type Session = z.infer<typeof Session>;
