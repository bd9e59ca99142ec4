// Players, session types and sessions.
import { JoinStatus, Platform, PlayerStatus, Session } from '@muster/contract';
import { z } from 'zod';
import type { ProcedureReference } from './procedure.ts';
import { Count, Counted, Deleted, Id, PageMeta, Time } from './procedure.ts';

const playerMembers = {
  player_uuid: Id,
  player_id: z.int().optional().meta({ description: 'Legacy id.' }),
  display_name: z.string().optional(),
};
const Player = z
  .strictObject(playerMembers)
  .meta({ id: 'Player', description: 'A registered player.' });
const ListedPlayer = z
  .strictObject({ ...playerMembers, registered: Time })
  .meta({ id: 'ListedPlayer', description: 'A registered player.' });

const eventMembers = {
  event_id: Id,
  occurred_at: Time,
  kind: z.string().meta({ description: 'Such as `player_joined`. Later versions may add kinds.' }),
  account_id: z.string(),
  session_version: z.int().optional(),
  detail: z.record(z.string(), z.unknown()).optional(),
};
const SessionEvent = z
  .strictObject({ ...eventMembers, player_uuid: Id.optional() })
  .meta({ id: 'SessionEvent', description: 'An entry of the timeline of a session.' });
const PlayerEvent = z
  .strictObject({ ...eventMembers, type: z.string(), session_id: z.string() })
  .meta({ id: 'PlayerEvent', description: 'An entry of the timeline of a player.' });

const PlayerSeat = z
  .strictObject({
    type: z.string(),
    session_id: z.string(),
    team_id: z.int().min(0),
    status: PlayerStatus,
    platform: Platform.optional(),
    version: z.string().optional().meta({ description: "Version of the player's client." }),
    invited: Time.optional(),
    joined: Time.optional(),
    absent_since: Time.optional(),
    session_ended: Time.optional(),
  })
  .meta({ id: 'PlayerSeat', description: 'A seat of a player, also in ended sessions.' });

const Seconds = z.int().min(1).optional();
const SessionType = z
  .strictObject({
    type: z.string(),
    version_match: z.enum(['none', 'major', 'minor', 'patch', 'exact']),
    default_teams: z.array(
      z
        .strictObject({ team_id: z.int().min(0), max_size: z.int().min(1) })
        .meta({ id: 'DefaultTeam' }),
    ),
    invitation_ttl_seconds: Seconds,
    reservation_ttl_seconds: Seconds,
    absent_ttl_seconds: Seconds,
    ended_retention_seconds: Seconds,
    idle_ttl_seconds: Seconds,
    max_age_seconds: Seconds,
  })
  .meta({ id: 'SessionType', description: 'The rules of the sessions of a type.' });

const ETag = z.string().meta({ description: 'With its quotes, as the header of a join has it.' });
const sessionMembers = { session: Session, etag: ETag };
const SessionWithEtag = z
  .strictObject({
    ...sessionMembers,
    ended: Time.optional().meta({
      description:
        'Present only when a repeated creation or end returns a session that had ended before.',
    }),
  })
  .meta({ id: 'SessionWithEtag' });

const AbsentPlayers = z
  .array(z.strictObject({ player_uuid: Id, since: Time }).meta({ id: 'AbsentPlayer' }))
  .optional()
  .meta({ description: 'Seated players who are marked absent.' });
const CreationResult = z
  .union([
    SessionWithEtag,
    z.strictObject({ error_code: z.string(), desc: z.string() }).meta({ id: 'RefusedCreation' }),
  ])
  .meta({ id: 'CreationResult' });
const LastActivity = Time.optional().meta({
  description: 'The last time that a player took a seat or left one; absent before the first.',
});
const DetailedSession = z
  .strictObject({
    ...sessionMembers,
    instance_transitions: z.array(JoinStatus).meta({
      description: 'The states to which the instance may change.',
    }),
    absent_players: AbsentPlayers,
    last_activity_at: LastActivity,
    ended: Time.optional(),
  })
  .meta({ id: 'DetailedSession' });
const UnchangedSession = z
  .strictObject({ unchanged: z.literal(true), absent_players: AbsentPlayers })
  .meta({ id: 'UnchangedSession', description: 'The session still has the ETag of the request.' });
const FoundSession = z.union([DetailedSession, UnchangedSession]).meta({ id: 'FoundSession' });

const ListedSession = z
  .strictObject({
    ...sessionMembers,
    seats: Count.meta({ description: 'Taken and held seats.' }),
    capacity: Count,
    absent: Count.meta({ description: 'Seated players who are marked absent.' }),
    last_activity_at: LastActivity,
    ended: Time.optional(),
  })
  .meta({ id: 'ListedSession' });

const TriedJoin = z
  .strictObject({
    request: z.strictObject({ method: z.string(), path: z.string(), body: z.unknown().optional() }),
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown().optional(),
    curl: z.string().meta({ description: 'A command that uses `$BASE_URL` and `$TOKEN`.' }),
  })
  .meta({ id: 'TriedJoin', description: 'The response that the game would get.' });

/** A change of a live session. */
const CHANGE_ERRORS = ['session_not_found', 'session_busy', 'session_too_large'] as const;
const ROOM_ERRORS = ['team_not_found', 'team_full', 'session_full'] as const;

export const SESSION_PROCEDURES = {
  'players.register': {
    summary: 'Register a player',
    description: 'Calling it again with the same input changes nothing.',
    output: Player,
    errors: ['player_id_taken'],
  },
  'players.delete': {
    summary: 'Delete a player',
    description:
      'Frees the legacy id. A deleted player who joins or is invited later is registered again.',
    output: Deleted,
    errors: ['player_not_found', 'player_seated'],
  },
  'players.get': {
    summary: 'Read a player',
    output: ListedPlayer.extend({ platforms: z.array(Platform) }).meta({ id: 'PlayerDetails' }),
    errors: ['player_not_found'],
  },
  'players.names': {
    summary: 'Find the names of players',
    description: 'Players who are not registered are left out.',
    output: z.strictObject({ players: z.array(Player) }),
  },
  'players.list': {
    summary: 'List players, newest first',
    output: z.strictObject({ players: z.array(ListedPlayer), page_meta: PageMeta }),
  },
  'players.count': { summary: 'Count players', output: Counted },
  'players.sessions': {
    summary: 'List the seats of a player, newest first',
    output: z.strictObject({ seats: z.array(PlayerSeat), page_meta: PageMeta }),
  },
  'players.events': {
    summary: 'List the timeline of a player, newest first',
    output: z.strictObject({ events: z.array(PlayerEvent), page_meta: PageMeta }),
  },
  'sessionTypes.upsert': {
    summary: 'Create or replace a session type',
    description: 'Replaces the whole type. Its rules apply to live sessions at once.',
    output: SessionType,
  },
  'sessionTypes.delete': {
    summary: 'Delete a session type',
    output: Deleted,
    errors: ['session_type_not_found', 'session_type_in_use'],
  },
  'sessionTypes.get': {
    summary: 'Read a session type',
    output: SessionType,
    errors: ['session_type_not_found'],
  },
  'sessionTypes.list': {
    summary: 'List session types',
    output: z.strictObject({ session_types: z.array(SessionType) }),
  },
  'sessions.create': {
    summary: 'Create a session',
    description:
      'Stores the session with the held seats of `players`, or nothing. Absent `teams` are the default teams of the type. An absent `team_id` is the position in the list. A repeated call with the same `session_id` and input returns the session, up to 24 hours after its end. Without `session_id`, each call creates another session.',
    output: SessionWithEtag,
    errors: [
      'session_exists',
      'session_busy',
      'session_without_teams',
      'session_too_large',
      'platform_session_taken',
      'session_not_found',
      'player_id_taken',
      ...ROOM_ERRORS,
    ],
  },
  'sessions.createMany': {
    summary: 'Create up to 100 sessions',
    description:
      'The results have the order of the input. Each creation succeeds or fails independently: the result of a refused one has its `error_code`.',
    output: z.strictObject({ results: z.array(CreationResult) }),
  },
  'sessions.get': {
    summary: 'Read a session',
    description: 'With `ended`, reads the last state of an ended session.',
    output: FoundSession,
    errors: ['session_not_found'],
  },
  'sessions.find': {
    summary: 'Read a live or ended session, or null',
    description: 'For polling: an ended or unknown session is a result, not an error.',
    output: FoundSession.nullable(),
  },
  'sessions.watch': {
    summary: 'Wait for a change of a session',
    description:
      'A long poll. Replies at once unless `if_none_match` is the current ETag; then it waits for a change, or replies `unchanged` after `wait_seconds`. Two responses about one session to the same caller are at least 250 ms apart. Does not wait in a batch.',
    output: FoundSession.nullable(),
  },
  'sessions.list': {
    summary: 'List sessions, newest first',
    description:
      'A filter that reads each session stops after 20,000, so a page may be short, or even empty, and still have a cursor.',
    output: z.strictObject({ sessions: z.array(ListedSession), page_meta: PageMeta }),
  },
  'sessions.count': {
    summary: 'Count sessions',
    description: 'Exact up to 10,000 and among the newest 20,000.',
    output: Counted,
  },
  'sessions.update': {
    summary: 'Change a session',
    description:
      'An absent field is unchanged, null clears it. A team cannot become smaller than its seats.',
    output: SessionWithEtag,
    errors: [...CHANGE_ERRORS, 'session_etag_mismatch', 'team_in_use'],
  },
  'sessions.addPlatformSession': {
    summary: 'Register a platform session of a session',
    description: 'Registering it again with other content needs `replace`.',
    output: SessionWithEtag,
    errors: [
      ...CHANGE_ERRORS,
      'session_etag_mismatch',
      'platform_session_exists',
      'platform_session_taken',
    ],
  },
  'sessions.removePlatformSession': {
    summary: 'Remove a platform session',
    description: 'Removing an unknown one changes nothing.',
    output: SessionWithEtag,
    errors: [...CHANGE_ERRORS, 'session_etag_mismatch'],
  },
  'sessions.setInstance': {
    summary: 'Set or remove the instance of a session',
    description: 'The host of an instance changes only with a new `instance_id`.',
    output: SessionWithEtag,
    errors: [...CHANGE_ERRORS, 'session_etag_mismatch', 'instance_transition'],
  },
  'sessions.setInstanceStatus': {
    summary: 'Change the state or the health of the instance',
    output: SessionWithEtag,
    errors: [
      ...CHANGE_ERRORS,
      'session_etag_mismatch',
      'instance_not_found',
      'instance_transition',
    ],
  },
  'sessions.invitePlayer': {
    summary: 'Hold a seat for a player',
    description:
      'Registers the player. Inviting a player with a held seat replaces its terms. A player removed with `prevent_rejoin` may join again.',
    output: SessionWithEtag,
    errors: [
      ...CHANGE_ERRORS,
      ...ROOM_ERRORS,
      'session_etag_mismatch',
      'player_id_taken',
      'player_seated',
    ],
  },
  'sessions.invitePlayers': {
    summary: 'Hold seats for a party',
    description: 'Holds the seats of all players or of none. Registers the players.',
    output: SessionWithEtag,
    errors: [
      ...CHANGE_ERRORS,
      ...ROOM_ERRORS,
      'session_etag_mismatch',
      'player_id_taken',
      'player_seated',
    ],
  },
  'sessions.swapPlayers': {
    summary: 'Exchange the teams of two players',
    description:
      'Works in full teams as well. Nothing changes when both players are in the same team.',
    output: SessionWithEtag,
    errors: [...CHANGE_ERRORS, 'session_etag_mismatch', 'seat_not_found'],
  },
  'sessions.removePlayer': {
    summary: 'Remove a player from a session',
    description:
      'The member who has been seated longest succeeds a leader. With `prevent_rejoin`, every join of the player is 403 `player_removed` until a new invitation.',
    output: SessionWithEtag,
    errors: [...CHANGE_ERRORS, 'session_etag_mismatch', 'seat_not_found'],
  },
  'sessions.movePlayer': {
    summary: 'Move a player to another team',
    output: SessionWithEtag,
    errors: [...CHANGE_ERRORS, ...ROOM_ERRORS, 'session_etag_mismatch', 'seat_not_found'],
  },
  'sessions.promotePlayer': {
    summary: 'Make a player the leader',
    output: SessionWithEtag,
    errors: [...CHANGE_ERRORS, 'session_etag_mismatch', 'seat_not_found', 'seat_held'],
  },
  'sessions.setPresence': {
    summary: 'Mark a seated player absent or present',
    description:
      'The mark is not part of the session and does not change its ETag. A join removes it.',
    output: SessionWithEtag,
    errors: [...CHANGE_ERRORS, 'session_etag_mismatch', 'seat_not_found', 'seat_held'],
  },
  'sessions.end': {
    summary: 'End a session',
    description:
      'Frees its platform sessions and its id. Its timeline remains. Ending it again returns the ended session. With `if_empty`, a session with a taken or held seat is refused.',
    output: SessionWithEtag,
    errors: [...CHANGE_ERRORS, 'session_etag_mismatch', 'session_not_empty'],
  },
  'sessions.endMatching': {
    summary: 'End one page of the sessions that match',
    description:
      'Call it with the returned cursor until there is none. Each session has an audit record of `sessions.end` with the reason.',
    output: z.strictObject({ ended: Count, skipped: Count, page_meta: PageMeta }),
  },
  'sessions.delete': {
    summary: 'Delete an ended session with its timeline',
    output: Deleted,
    errors: ['session_not_found', 'session_not_ended', 'session_etag_mismatch'],
  },
  'sessions.tryJoin': {
    summary: 'Join a player and show the response of the public endpoint',
    description:
      'A real join in the name of the caller. A refusal is a `status` of the result, not an error.',
    output: TriedJoin,
  },
  'sessions.events': {
    summary: 'List the timeline of a session, newest first',
    description: 'Includes refused joins and ended sessions.',
    output: z.strictObject({ events: z.array(SessionEvent), page_meta: PageMeta }),
  },
} satisfies Record<string, ProcedureReference>;
