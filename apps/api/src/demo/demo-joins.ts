// What the demo's players send when they join.
import type { CrossplayPreferences, VersionMatch } from '@muster/contract';
import type { JoinCommand } from '../join/index.ts';
import type { DemoPlayer } from './demo-players.ts';
import type { Audience, DemoSessionType } from './demo-session-plans.ts';
import { GAME_VERSION } from './demo-session-plans.ts';
import type { SeededRandom } from './seeded-random.ts';

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
