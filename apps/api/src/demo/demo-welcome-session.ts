// The session of the sample join: it keeps a seat for the sample player, whatever other people do there.
import { createSessionState, invitePlayer } from '../sessions/index.ts';
import { createDemoInstance, startInstance } from './demo-instances.ts';
import { createJoinCommand } from './demo-joins.ts';
import type { DemoPlayer } from './demo-players.ts';
import { SAMPLE_PLAYER } from './demo-players.ts';
import { SessionLife } from './demo-session-life.ts';
import { BACKEND_ACCOUNT } from './demo-session-plans.ts';
import { daysBefore, endOfYesterday } from './demo-timeline.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A type without any version rule, whose held seats never expire. */
export const WELCOME_SESSION = { type: 'social-hub', sessionId: 'welcome' };
const TEAM = { team_id: 0, max_size: 20 };

/**
 * The host plays on the same platform with the same input device and permits everyone: as long as the host is there,
 * whoever would exclude the sample player is refused first.
 */
export const createWelcomeSession = (
  random: SeededRandom,
  players: readonly DemoPlayer[],
  now: Date,
): SessionLife => {
  const at = daysBefore(endOfYesterday(now), 0.5);
  const host = findHost(players);
  const life = new SessionLife(createSession(random, at), BACKEND_ACCOUNT);
  startInstance(life, random, 'joinable');
  life.wait(40);
  life.join({
    ...createJoinCommand(random, host, { type: { version_match: 'exact' }, team: TEAM }),
    crossplay: undefined,
  });
  life.wait(75);
  const invitation = {
    playerUuid: SAMPLE_PLAYER.playerUuid,
    teamId: TEAM.team_id,
    status: 'invited' as const,
    invitingPlayerUuid: host.playerUuid,
  };
  life.change(BACKEND_ACCOUNT, (session, moment) => invitePlayer(session, invitation, moment));
  return life;
};

/** The last of the list, who has no seat elsewhere: the other sessions fill up from its beginning. */
const findHost = (players: readonly DemoPlayer[]): DemoPlayer => {
  const { playerUuid, platform, input } = SAMPLE_PLAYER;
  const host = players.findLast(
    (player) =>
      player.platform === platform && player.input === input && player.playerUuid !== playerUuid,
  );
  if (!host) throw new Error('No demo player could host the sample player.');
  return host;
};

const createSession = (random: SeededRandom, at: Date) =>
  createSessionState(
    {
      type: WELCOME_SESSION.type,
      joinable: true,
      teams: [TEAM],
      platform_session: [
        platformSession('Steam', 'muster-demo-welcome'),
        platformSession('PSN', 'muster-demo-welcome-psn'),
        platformSession('XboxLive', 'muster-demo-welcome-xbox'),
      ],
      instance: createDemoInstance(random, { fill: 0 }, undefined),
      region_id: 'eu-central',
      browser: { custom_data: { title: 'Everyone is welcome' } },
      custom_data: { map: 'Glass Harbour' },
    },
    {
      sessionId: WELCOME_SESSION.sessionId,
      incarnation: Buffer.from(random.bytes(6)).toString('base64url'),
      at,
    },
  );

const platformSession = (platform: 'Steam' | 'PSN' | 'XboxLive', id: string) => ({
  platform,
  platform_session_type: `${platform.toLowerCase()}-lobby`,
  platform_session_id_base64: Buffer.from(id).toString('base64url'),
});
