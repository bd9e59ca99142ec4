// The demo's 60 sessions, each grown from nothing by the rules: 59 in all kinds of states and one to try joins on.
import type { Platform, SessionInput } from '@muster/contract';
import type { SessionState } from '../sessions/index.ts';
import {
  createSessionState,
  invitePlayer,
  removePlayer,
  updateSession,
} from '../sessions/index.ts';
import { createDemoInstance, settleInstance, startInstance } from './demo-instances.ts';
import { createJoinCommand } from './demo-joins.ts';
import type { DemoPlayer } from './demo-players.ts';
import { createDetails, createPlatformSession } from './demo-session-details.ts';
import type { DemoEvent } from './demo-session-life.ts';
import { SessionLife } from './demo-session-life.ts';
import type { DemoSessionPlan, DemoSessionType } from './demo-session-plans.ts';
import { BACKEND_ACCOUNT, DEMO_SESSION_PLANS, DEMO_SESSION_TYPES } from './demo-session-plans.ts';
import { daysBefore, endOfYesterday } from './demo-timeline.ts';
import { createWelcomeSession } from './demo-welcome-session.ts';
import type { SeededRandom } from './seeded-random.ts';
import { createSeededRandom } from './seeded-random.ts';

export type DemoSession = { session: SessionState; events: readonly DemoEvent[] };

const SEED = 55;
const MAX_PLATFORM_SESSIONS = 4;

export const createDemoSessions = (players: readonly DemoPlayer[], now: Date): DemoSession[] => {
  const random = createSeededRandom(SEED);
  const pool = [...players];
  const planned = DEMO_SESSION_PLANS.flatMap((plan) =>
    DEMO_SESSION_TYPES.map((type) => ({ plan, type })),
  );
  const lives = planned.slice(0, -1).map(({ plan, type }) => {
    const createdAt = daysBefore(endOfYesterday(now), 0.25 + random.fraction() * 4);
    return liveOut({ random, plan, type, createdAt, players, pool });
  });
  return [...lives, createWelcomeSession(random, players, now)];
};

type Setting = {
  random: SeededRandom;
  plan: DemoSessionPlan;
  type: DemoSessionType;
  createdAt: Date;
  players: readonly DemoPlayer[];
  /** Players without a seat anywhere; who is seated leaves it. */
  pool: DemoPlayer[];
};

const liveOut = (setting: Setting): DemoSession => {
  const { random, plan, type, players } = setting;
  const seated = takePlayers(setting);
  const life = new SessionLife(
    createDemoSession(setting, createInput(setting, seated)),
    BACKEND_ACCOUNT,
  );
  startInstance(life, random, plan.instance);
  seatPlayers(life, setting, seated);
  holdSeats(life, setting);
  if (plan.fill < 0.8 && seated.length > 3 && random.chance(0.3)) letOneGo(life, random, seated);
  if (plan.joinable === false) {
    life.change(BACKEND_ACCOUNT, (session, at) =>
      updateSession(session, { joinable: false }, undefined, at),
    );
  }
  settleInstance(life, random, plan.instance);
  if (plan.fill === 1 || plan.joinable === false || plan.instance === 'closed') {
    life.wait(random.integer(20, 600));
    const late = random.pick(players.filter((player) => !isInside(life, player)));
    life.join(createJoinCommand(random, late, { type, team: random.pick(type.default_teams) }));
  }
  return life;
};

/** The first of the pool who fit the audience; fewer when the pool runs dry. */
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

/** A new session under the rules of its type, which the store would join to it. */
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

const isInside = ({ session }: SessionLife, { playerUuid }: DemoPlayer): boolean =>
  session.seats.has(playerUuid);

const teamAt = ({ default_teams: teams }: DemoSessionType, place: number) =>
  teams[place % teams.length] ?? { team_id: 0, max_size: 1 };

/** Teams fill evenly; some players come on the leader's invitation. */
const seatPlayers = (life: SessionLife, setting: Setting, seated: readonly DemoPlayer[]): void => {
  const { random, type, plan } = setting;
  for (const [place, player] of seated.entries()) {
    life.wait(random.integer(4, 180));
    const team = teamAt(type, place);
    if (place > 0 && random.chance(0.12)) {
      invite(life, player, { teamId: team.team_id, status: 'invited', inviter: seated[0] });
      life.wait(random.integer(10, 90));
    }
    life.join(createJoinCommand(random, player, { type, team, audience: plan.audience }));
  }
};

type HeldTerms = {
  teamId: number;
  status: 'invited' | 'reserved';
  inviter?: DemoPlayer | undefined;
};

const invite = (life: SessionLife, { playerUuid }: DemoPlayer, terms: HeldTerms): void => {
  const { inviter, teamId, status } = terms;
  const invitation = { playerUuid, teamId, status, invitingPlayerUuid: inviter?.playerUuid };
  life.change(BACKEND_ACCOUNT, (session, at) => invitePlayer(session, invitation, at));
};

/** Seats for players who have not come yet: the plans leave room for them. */
const holdSeats = (life: SessionLife, { random, plan, type, players }: Setting): void => {
  const leader = players.find(
    ({ playerUuid }) => life.session.seats.get(playerUuid)?.status === 'leader',
  );
  const statuses = [
    ...Array.from({ length: plan.invited ?? 0 }, () => 'invited' as const),
    ...Array.from({ length: plan.reserved ?? 0 }, () => 'reserved' as const),
  ];
  for (const status of statuses) {
    life.wait(random.integer(4, 120));
    const guest = random.pick(players.filter((player) => !isInside(life, player)));
    const { team_id: teamId } = teamAt(type, life.session.seats.size);
    invite(life, guest, { teamId, status, inviter: status === 'invited' ? leader : undefined });
  }
};

/** Now and then it is the leader who goes, and the most senior member follows. */
const letOneGo = (life: SessionLife, random: SeededRandom, seated: readonly DemoPlayer[]): void => {
  life.wait(random.integer(60, 900));
  const { playerUuid } = random.pick(seated);
  life.change(BACKEND_ACCOUNT, (session) => removePlayer(session, playerUuid));
};
