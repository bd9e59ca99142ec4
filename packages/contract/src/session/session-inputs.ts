// What a game backend sends to make and change sessions. Same field names as the resource.
import { z } from 'zod';
import { boundedList } from '../bounded-list.ts';
import { canonicalPlatformSessionId, NewPlatformSessionId, Platform } from '../platform.ts';
import {
  customIssue,
  DateTimeInput,
  Integer,
  NewShortId,
  ShortId,
  StringMap,
  TeamId,
  text,
  Uuid,
} from '../strings.ts';
import {
  Backfill,
  Browser,
  InstanceInput,
  MatchInput,
  Matchmaking,
  MatchmakingResultsInput,
} from './instance.ts';

/** Refuses an element whose key another one before it has. */
const unique =
  <Element>(field: string, keyOf: (element: Element, index: number) => unknown) =>
  ({ value, issues }: z.core.ParsePayload<Element[]>): void => {
    const seen = new Set<unknown>();
    for (const [index, element] of value.entries()) {
      const key = keyOf(element, index);
      const type = 'value_error.list.unique_items';
      const message = 'Must not appear in the list twice';
      if (seen.has(key)) issues.push(customIssue(element, type, message, [index, field]));
      else seen.add(key);
    }
  };

/** A member of the resource that a request cannot set. A backend may send back the resource that it has read. */
export const Ignored = z.unknown().optional().meta({ description: 'Accepted and ignored.' });

const MAX_TEAMS = 100;
const MAX_PLATFORM_SESSIONS = 100;

export const TeamInput = z
  .object({
    team_id: TeamId.optional().meta({
      description: 'When absent, the position of the team in the list, from 0.',
    }),
    max_size: z.int().min(1).max(100),
    ticket_ids: boundedList(text(0, 4096), { max: 1000 }).optional(),
    custom_data: StringMap.optional(),
    players: Ignored,
  })
  .meta({ id: 'TeamInput' });
export type TeamInput = z.infer<typeof TeamInput>;

export const TeamInputs = boundedList(TeamInput, { min: 1, max: MAX_TEAMS }).check(
  unique('team_id', (team, index) => team.team_id ?? index),
);

export const PlatformSessionInput = z
  .object({
    platform: Platform,
    platform_session_type: ShortId,
    platform_session_id_base64: NewPlatformSessionId,
    custom_data: StringMap.optional(),
    players: Ignored,
  })
  .meta({ id: 'PlatformSessionInput' });
export type PlatformSessionInput = z.infer<typeof PlatformSessionInput>;

const PlatformSessionInputs = boundedList(PlatformSessionInput, {
  max: MAX_PLATFORM_SESSIONS,
}).check(
  unique(
    'platform_session_id_base64',
    (child) => `${child.platform}:${canonicalPlatformSessionId(child.platform_session_id_base64)}`,
  ),
);

/** The session fields that creating and updating share; null clears one in an update. */
export const sessionDetailInputs = {
  region_id: ShortId,
  custom_data: StringMap,
  browser: Browser,
  match: MatchInput,
  matchmaking: Matchmaking,
  matchmaking_results: MatchmakingResultsInput,
  backfill: Backfill,
  created_by_matchmaking: z.boolean(),
} as const;

/** A held seat: its player may arrive later. */
export const HeldSeatInput = z
  .object({
    player_uuid: Uuid,
    team_id: TeamId,
    status: z.enum(['invited', 'reserved']).default('invited'),
    inviting_player_uuid: Uuid.optional(),
    source_session_id: ShortId.optional(),
    player_id: Integer.optional(),
  })
  .meta({ id: 'HeldSeatInput' });
export type HeldSeatInput = z.infer<typeof HeldSeatInput>;

const MAX_HELD_SEATS = 1_000;

/** A list of `min` to 1,000 held seats. Each player appears once. */
export const heldSeatInputs = (min: number) =>
  boundedList(HeldSeatInput, { min, max: MAX_HELD_SEATS }).check(
    unique('player_uuid', (seat) => seat.player_uuid),
  );

export const SessionInput = z
  .object({
    type: NewShortId,
    session_id: NewShortId.optional().meta({ description: 'Made by the service when absent.' }),
    joinable: z.boolean().default(true),
    teams: TeamInputs.optional().meta({
      description: "When absent, the session type's default teams.",
    }),
    platform_session: PlatformSessionInputs.default([]),
    players: heldSeatInputs(0).optional().meta({
      description: 'The seats to hold. Their players are registered with the session.',
    }),
    instance: InstanceInput.optional(),
    created: DateTimeInput.optional(),
    ...z.object(sessionDetailInputs).partial().shape,
  })
  .meta({ id: 'SessionInput' });
export type SessionInput = z.infer<typeof SessionInput>;

export const VersionMatch = z.enum(['none', 'major', 'minor', 'patch', 'exact']).meta({
  id: 'VersionMatch',
  description: "How much of the client's version must equal the instance's.",
});
export type VersionMatch = z.infer<typeof VersionMatch>;

const DefaultTeam = z
  .object({ team_id: TeamId, max_size: z.int().min(1).max(100) })
  .meta({ id: 'DefaultTeam' });

/** Seconds, up to a year. */
const Life = z.int().min(1).max(31_536_000).nullish();

export const SessionTypeInput = z
  .object({
    type: NewShortId,
    version_match: VersionMatch.default('patch'),
    default_teams: boundedList(DefaultTeam, { max: MAX_TEAMS })
      .check(unique('team_id', (team) => team.team_id))
      .default([]),
    invitation_ttl_seconds: Life.meta({
      description: 'Life of an invited seat; absent or null: it never expires.',
    }),
    reservation_ttl_seconds: Life.meta({
      description: 'Life of a reserved seat; absent or null: it never expires.',
    }),
    absent_ttl_seconds: Life.meta({
      description: 'Life of the seat of a player marked absent; absent or null: it never expires.',
    }),
    ended_retention_seconds: Life.meta({
      description:
        'How long an ended session and its events stay; absent or null: the service has a default of 30 days.',
    }),
    idle_ttl_seconds: Life.meta({
      description:
        'Life of a session without seated players, from its creation or from the moment when the last player left; held seats do not keep it alive. Absent or null: it never expires.',
    }),
    max_age_seconds: Life.meta({
      description:
        'Life of a session, with or without players, from its `created`; absent or null: it never expires.',
    }),
    held_seat_ttl_seconds: Life.meta({
      deprecated: true,
      description: 'Deprecated: the default of invitation_ttl_seconds and reservation_ttl_seconds.',
    }),
  })
  .meta({ id: 'SessionTypeInput' });
export type SessionTypeInput = z.infer<typeof SessionTypeInput>;
