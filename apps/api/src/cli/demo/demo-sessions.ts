// The demo's 60 sessions, each built from nothing by the rules: 59 in different states and one to try joins on.
import type { Platform, SessionInput } from '@muster/contract';
import type { SessionState } from '../../sessions/index.ts';
import {
  createSessionState,
  invitePlayer,
  removePlayer,
  updateSession,
} from '../../sessions/index.ts';
import type { DemoPlayer } from './demo-players.ts';
import { SAMPLE_PLAYER } from './demo-players.ts';
import type { SeededRandom } from './demo-random.ts';
import { createSeededRandom, daysBefore, endOfYesterday } from './demo-random.ts';
import type { DemoSessionPlan, DemoSessionType } from './demo-session-plans.ts';
import {
  BACKEND_ACCOUNT,
  createDetails,
  createJoinCommand,
  createPlatformSession,
  DEMO_SESSION_PLANS,
  DEMO_SESSION_TYPES,
} from './demo-session-plans.ts';
import type { DemoEvent } from './demo-session-timeline.ts';
import {
  createDemoInstance,
  SessionTimeline,
  settleInstance,
  startInstance,
} from './demo-session-timeline.ts';

export type DemoSession = { session: SessionState; events: readonly DemoEvent[] };

const SEED = 55;
const MAX_PLATFORM_SESSIONS = 4;

export const createDemoSessions = (players: readonly DemoPlayer[], now: Date): DemoSession[] => {
  const random = createSeededRandom(SEED);
  const pool = [...players];
  const planned = DEMO_SESSION_PLANS.flatMap((plan) =>
    DEMO_SESSION_TYPES.map((type) => ({ plan, type })),
  );
  const sessions = planned.slice(0, -1).map(({ plan, type }) => {
    const createdAt = daysBefore(endOfYesterday(now), 0.25 + random.fraction() * 4);
    return growSession({ random, plan, type, createdAt, players, pool });
  });
  return [...sessions, createWelcomeSession(random, players, now)];
};

type Setting = {
  random: SeededRandom;
  plan: DemoSessionPlan;
  type: DemoSessionType;
  createdAt: Date;
  players: readonly DemoPlayer[];
  /** Players without a seat; a player who is seated is removed. */
  pool: DemoPlayer[];
};

const growSession = (setting: Setting): DemoSession => {
  const { random, plan, type, players } = setting;
  const seated = takePlayers(setting);
  const timeline = new SessionTimeline(
    createDemoSession(setting, createInput(setting, seated)),
    BACKEND_ACCOUNT,
  );
  startInstance(timeline, random, plan.instance);
  seatPlayers(timeline, setting, seated);
  holdSeats(timeline, setting);
  if (plan.fill < 0.8 && seated.length > 3 && random.chance(0.3))
    letOneGo(timeline, random, seated);
  if (plan.joinable === false) {
    timeline.change(BACKEND_ACCOUNT, (session, at) =>
      updateSession(session, { joinable: false }, at),
    );
  }
  settleInstance(timeline, random, plan.instance);
  if (plan.fill === 1 || plan.joinable === false || plan.instance === 'closed') {
    timeline.wait(random.integer(20, 600));
    const late = random.pick(players.filter((player) => !isInside(timeline, player)));
    timeline.join(createJoinCommand(random, late, { type, team: random.pick(type.default_teams) }));
  }
  return timeline;
};

/** The first players of the pool who match the audience; fewer when the pool is empty. */
const takePlayers = ({ plan, type, pool }: Setting): DemoPlayer[] => {
  const capacity = type.default_teams.reduce((sum, { max_size }) => sum + max_size, 0);
  const { platform, input } = plan.audience ?? {};
  const fitting = pool.filter(
    (player) =>
      (platform === undefined || player.platform === platform) &&
      (input === undefined || player.input === input),
  );
  const taken = fitting.slice(0, Math.round(capacity * plan.fill));
  for (const player of taken) pool.splice(pool.indexOf(player), 1);
  return taken;
};

type Input = Omit<SessionInput, 'teams'> & { teams: DemoSessionType['default_teams'] };

const createInput = ({ random, plan, type }: Setting, seated: readonly DemoPlayer[]): Input => {
  const homes = new Set<Platform>(seated.map(({ platform }) => platform).concat('Steam'));
  const platforms = [...homes].slice(0, MAX_PLATFORM_SESSIONS);
  return {
    type: type.type,
    joinable: true,
    teams: type.default_teams,
    platform_session: platforms.map((platform) => createPlatformSession(random, platform)),
    ...createDetails(random, plan),
    ...(plan.instance && { instance: createDemoInstance(random, plan, seated[0]) }),
  };
};

/** A new session with the rules of its type, which the store would join to it. */
const createDemoSession = ({ random, type, createdAt: at }: Setting, input: Input) => ({
  ...createSessionState(input, {
    sessionId: random.uuid(),
    incarnation: Buffer.from(random.bytes(6)).toString('base64url'),
    at,
  }),
  rules: {
    versionMatch: type.version_match,
    invitationTtlSeconds: type.invitation_ttl_seconds,
    reservationTtlSeconds: type.reservation_ttl_seconds,
  },
});

const isInside = ({ session }: SessionTimeline, { playerUuid }: DemoPlayer): boolean =>
  session.seats.has(playerUuid);

const teamAt = ({ default_teams: teams }: DemoSessionType, place: number) =>
  teams[place % teams.length] ?? { team_id: 0, max_size: 1 };

/** Teams fill evenly; some players are invited by the leader. */
const seatPlayers = (
  timeline: SessionTimeline,
  setting: Setting,
  seated: readonly DemoPlayer[],
): void => {
  const { random, type, plan } = setting;
  for (const [place, player] of seated.entries()) {
    timeline.wait(random.integer(4, 180));
    const team = teamAt(type, place);
    if (place > 0 && random.chance(0.12)) {
      invite(timeline, player, { teamId: team.team_id, status: 'invited', inviter: seated[0] });
      timeline.wait(random.integer(10, 90));
    }
    timeline.join(createJoinCommand(random, player, { type, team, audience: plan.audience }));
  }
};

type HeldTerms = {
  teamId: number;
  status: 'invited' | 'reserved';
  inviter?: DemoPlayer | undefined;
};

const invite = (
  timeline: SessionTimeline,
  { playerUuid }: Pick<DemoPlayer, 'playerUuid'>,
  { inviter, teamId, status }: HeldTerms,
): void => {
  const invitation = { playerUuid, teamId, status, invitingPlayerUuid: inviter?.playerUuid };
  timeline.change(BACKEND_ACCOUNT, (session, at) => invitePlayer(session, invitation, at));
};

/** Held seats of players who have not arrived: the plans leave space for them. */
const holdSeats = (timeline: SessionTimeline, { random, plan, type, players }: Setting): void => {
  const leader = players.find(
    ({ playerUuid }) => timeline.session.seats.get(playerUuid)?.status === 'leader',
  );
  const statuses = [
    ...Array.from({ length: plan.invited ?? 0 }, () => 'invited' as const),
    ...Array.from({ length: plan.reserved ?? 0 }, () => 'reserved' as const),
  ];
  for (const status of statuses) {
    timeline.wait(random.integer(4, 120));
    const guest = random.pick(players.filter((player) => !isInside(timeline, player)));
    const { team_id: teamId } = teamAt(type, timeline.session.seats.size);
    invite(timeline, guest, { teamId, status, inviter: status === 'invited' ? leader : undefined });
  }
};

/** Sometimes the leader leaves, and the most senior member succeeds. */
const letOneGo = (
  timeline: SessionTimeline,
  random: SeededRandom,
  seated: readonly DemoPlayer[],
): void => {
  timeline.wait(random.integer(60, 900));
  const { playerUuid } = random.pick(seated);
  timeline.change(BACKEND_ACCOUNT, (session) => removePlayer(session, { playerUuid }));
};

/** A type without a version rule, whose held seats never expire. */
export const WELCOME_SESSION = { type: 'social-hub', sessionId: 'welcome' };
const TEAM = { team_id: 0, max_size: 20 };

/**
 * The host plays on the same platform with the same input device and permits everyone: while the host is there, a
 * player who would exclude the sample player is refused.
 */
const createWelcomeSession = (
  random: SeededRandom,
  players: readonly DemoPlayer[],
  now: Date,
): SessionTimeline => {
  const at = daysBefore(endOfYesterday(now), 0.5);
  const host = findHost(players);
  const timeline = new SessionTimeline(createSession(random, at), BACKEND_ACCOUNT);
  startInstance(timeline, random, 'joinable');
  timeline.wait(40);
  timeline.join({
    ...createJoinCommand(random, host, { type: { version_match: 'exact' }, team: TEAM }),
    crossplay: undefined,
  });
  timeline.wait(75);
  invite(timeline, SAMPLE_PLAYER, { teamId: TEAM.team_id, status: 'invited', inviter: host });
  return timeline;
};

/** The last of the list, who has no other seat: the other sessions take players from its beginning. */
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
