// The plans of the demo's sessions: three types, and twenty states for the sessions of each type.
import type {
  CrossplayPreferences,
  InstanceHealth,
  JoinStatus,
  Platform,
  PlatformSessionInput,
  SessionInput,
  SessionTypeInput,
  VersionMatch,
} from '@muster/contract';
import type { JoinCommand } from '../../sessions/index.ts';
import type { DemoPlayer } from './demo-players.ts';
import type { SeededRandom } from './demo-random.ts';
import { makeId } from './demo-random.ts';

/** Versions of instances; those of clients match them by the rule of the type. */
export const GAME_VERSION = '1.8.2';
/** The service account that makes and changes sessions. */
export const BACKEND_ACCOUNT = 'game-backend';
export const MAPS = ['Old Quarry', 'Glass Harbour', 'Cinder Keep', 'Пепельный мост', 'Moorgate'];

export type DemoSessionType = Required<Pick<SessionTypeInput, 'type' | 'version_match'>> & {
  default_teams: { team_id: number; max_size: number }[];
  invitation_ttl_seconds?: number;
  reservation_ttl_seconds?: number;
};

const WEEK_SECONDS = 7 * 86_400;

const team = (team_id: number, max_size: number) => ({ team_id, max_size });

export const DEMO_SESSION_TYPES: readonly DemoSessionType[] = [
  { type: 'arena-4v4', version_match: 'patch', default_teams: [team(0, 4), team(1, 4)] },
  {
    type: 'guild-raid',
    version_match: 'minor',
    default_teams: [team(0, 5), team(1, 5)],
    invitation_ttl_seconds: WEEK_SECONDS,
    reservation_ttl_seconds: WEEK_SECONDS,
  },
  { type: 'social-hub', version_match: 'none', default_teams: [team(0, 20)] },
];

/** Players who only play with similar players; absent: with anyone. */
type Audience = { platform?: Platform; input?: 'gamepad' };

export type DemoSessionPlan = {
  /** The fraction of all seats that is taken. */
  fill: number;
  invited?: number;
  reserved?: number;
  /** False: by invitation only. */
  joinable?: false;
  /** Absent: no instance yet. */
  instance?: JoinStatus;
  host?: 'player' | 'preallocated';
  health?: InstanceHealth;
  audience?: Audience;
  with?: readonly ('browser' | 'matchmaking' | 'results' | 'match' | 'backfill')[];
};

export const DEMO_SESSION_PLANS: readonly DemoSessionPlan[] = [
  { fill: 1, instance: 'joinable', with: ['results'] },
  { fill: 0.5, instance: 'joinable', with: ['backfill'] },
  { fill: 0.1, instance: 'joinable', with: ['browser'] },
  { fill: 0.7, reserved: 1, joinable: false, instance: 'joinable' },
  { fill: 1, instance: 'unjoinable', with: ['results', 'match'] },
  { fill: 0.5, instance: 'closed' },
  { fill: 0.4, instance: 'pending', with: ['results'] },
  { fill: 0.3, with: ['matchmaking'] },
  { fill: 0, instance: 'requested', health: 'unknown' },
  { fill: 0.4, reserved: 2, instance: 'allocated', with: ['results'] },
  { fill: 0.6, instance: 'joinable', host: 'player', with: ['browser'] },
  { fill: 0.6, instance: 'joinable', audience: { platform: 'XboxLive' } },
  { fill: 0.6, instance: 'joinable', audience: { platform: 'PSN' } },
  { fill: 0.5, instance: 'joinable', audience: { input: 'gamepad' } },
  { fill: 0.2, invited: 2, reserved: 1 },
  { fill: 0.5, invited: 1, joinable: false },
  { fill: 0.7, instance: 'unjoinable', health: 'unhealthy', with: ['match'] },
  { fill: 0.5, instance: 'joinable', host: 'preallocated', health: 'degraded', with: ['backfill'] },
  { fill: 0.8, invited: 1, instance: 'joinable', with: ['browser', 'backfill'] },
  { fill: 0.1, with: ['browser'] },
];

const REGIONS = ['eu-central', 'eu-west', 'us-east', 'us-west', 'ap-northeast', 'sa-east'];

type Details = Pick<
  SessionInput,
  | 'region_id'
  | 'custom_data'
  | 'browser'
  | 'match'
  | 'matchmaking'
  | 'matchmaking_results'
  | 'backfill'
  | 'created_by_matchmaking'
>;

export const createDetails = (random: SeededRandom, plan: DemoSessionPlan): Details => {
  const parts = new Set(plan.with);
  const map = random.pick(MAPS);
  const tickets = Array.from({ length: random.integer(1, 3) }, () => makeId(random, 'ticket'));
  return {
    region_id: random.pick(REGIONS),
    custom_data: { map, difficulty: random.pick(['calm', 'normal', 'hard']) },
    ...(parts.has('browser') && {
      browser: { custom_data: { title: `${map} with friends`, language: random.pick(LANGUAGES) } },
    }),
    ...(parts.has('matchmaking') && {
      matchmaking: { ticket_id: makeId(random, 'ticket'), queue_id: 'ranked-eu' },
    }),
    ...(parts.has('results') && {
      matchmaking_results: {
        match_making_id: makeId(random, 'mm'),
        ticket_ids: tickets,
        tickets_assigned: true,
      },
      created_by_matchmaking: true,
    }),
    ...(parts.has('match') && {
      match: { match_id: makeId(random, 'match'), ticket_ids: tickets },
    }),
    ...(parts.has('backfill') && {
      backfill: {
        backfill_id: makeId(random, 'backfill'),
        extensions: { queue: 'ranked-eu', wanted: 'support' },
      },
    }),
  };
};

const LANGUAGES = ['de', 'en', 'fr', 'ja', 'pt-BR'];

/** One per platform; ids in both alphabets of base64, as clients of different platforms register them. */
export const createPlatformSession = (
  random: SeededRandom,
  platform: PlatformSessionInput['platform'],
): PlatformSessionInput => {
  const id = Buffer.concat([Buffer.from(`${platform}/`), random.bytes(random.pick([16, 21, 32]))]);
  return {
    platform,
    platform_session_type: `${platform.toLowerCase()}-multiplayer`,
    platform_session_id_base64: id.toString(random.chance(0.5) ? 'base64' : 'base64url'),
    ...(random.chance(0.3) && { custom_data: { visibility: 'friends' } }),
  };
};

/** Versions that match the game's under each rule. */
const CLIENT_VERSIONS: Record<VersionMatch, readonly string[]> = {
  none: [GAME_VERSION, '1.7.4', '2.0.0-beta.1'],
  major: [GAME_VERSION, '1.7.4'],
  minor: [GAME_VERSION, '1.8.0', '1.8.1'],
  patch: [GAME_VERSION, `${GAME_VERSION}+4471`],
  exact: [GAME_VERSION],
};

const LOADOUTS = ['scout', 'support', 'builder', 'Späher'];

type JoinTarget = {
  type: Pick<DemoSessionType, 'version_match'>;
  team: { team_id: number };
  audience?: Audience | undefined;
};

export const createJoinCommand = (
  random: SeededRandom,
  { playerUuid, playerId, platform, input }: DemoPlayer,
  { type, team, audience }: JoinTarget,
): JoinCommand => ({
  playerUuid,
  playerId,
  platform,
  input,
  isSelf: true,
  status: 'member',
  teamId: team.team_id,
  clientVersion: random.pick(CLIENT_VERSIONS[type.version_match]),
  crossplay: random.chance(0.4) ? createPreferences(audience) : undefined,
  customData: random.chance(0.3) ? { loadout: random.pick(LOADOUTS) } : undefined,
});

const createPreferences = ({ platform, input }: Audience = {}): CrossplayPreferences => ({
  permitted_platform:
    platform === 'XboxLive'
      ? 'desired_platforms_xboxlike'
      : platform === 'PSN'
        ? 'desired_platforms_playstationlike'
        : 'desired_platforms_any',
  permitted_input: input === 'gamepad' ? 'desired_inputs_gamepad' : 'desired_inputs_any',
});
