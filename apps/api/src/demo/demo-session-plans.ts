// What the demo's sessions look like: three types, and twenty states that each type's sessions are in.
import type { InstanceHealth, JoinStatus, Platform, SessionTypeInput } from '@muster/contract';

/** Versions of instances; those of clients match it by the rule of the type. */
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

/** Players who agree to play with their like only; absent: anyone with anyone. */
export type Audience = { platform?: Platform; input?: 'gamepad' };

export type DemoSessionPlan = {
  /** Share of all seats that players have taken. */
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
