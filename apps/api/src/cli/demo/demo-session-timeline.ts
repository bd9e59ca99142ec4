// One demo session and its timeline, made step by step with the rules of the service.

import type { InstanceInput, JoinStatus } from '@muster/contract';
import { ServiceError } from '../../platform/index.ts';
import type {
  ChangeResult,
  JoinCommand,
  SessionEvent,
  SessionState,
} from '../../sessions/index.ts';
import { decideJoin, setInstance } from '../../sessions/index.ts';
import type { DemoPlayer } from './demo-players.ts';
import type { SeededRandom } from './demo-random.ts';
import { makeId } from './demo-random.ts';
import type { DemoSessionPlan } from './demo-session-plans.ts';
import { GAME_VERSION, MAPS } from './demo-session-plans.ts';

export type DemoEvent = SessionEvent & {
  at: Date;
  accountId: string;
  /** Absent when the event changed nothing. */
  sessionVersion: number | undefined;
};

/** A session with its timeline; each change increases its version and its clock. */
export class SessionTimeline {
  session: SessionState;
  readonly events: DemoEvent[];
  #at: Date;

  constructor(session: SessionState, accountId: string) {
    this.session = session;
    this.#at = session.createdAt;
    this.events = [{ kind: 'session_created', at: this.#at, accountId, sessionVersion: 1 }];
  }

  wait(seconds: number): void {
    this.#at = new Date(this.#at.getTime() + Math.round(seconds * 1000));
  }

  /** Errors: those of the rule; the plans of the demo cause none. */
  change(accountId: string, rule: (session: SessionState, now: Date) => ChangeResult | null): void {
    const result = rule(this.session, this.#at);
    if (result) this.#commit(accountId, result);
  }

  /** A refused join adds an event to the timeline and nothing else, as in the service. */
  join(command: JoinCommand): boolean {
    try {
      this.change(command.playerUuid, (session, now) => decideJoin(session, command, now));
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#recordRefusal(command, error);
      return false;
    }
  }

  #commit(accountId: string, { session, events }: ChangeResult): void {
    const sessionVersion = this.session.version + 1;
    this.session = { ...session, version: sessionVersion };
    for (const event of events)
      this.events.push({ ...event, at: this.#at, accountId, sessionVersion });
  }

  #recordRefusal({ playerUuid, teamId }: JoinCommand, { code, message }: ServiceError): void {
    const detail = { error_code: code, desc: message, team_id: teamId };
    const who = { playerUuid, accountId: playerUuid };
    const event = { kind: 'join_refused', ...who, detail, sessionVersion: undefined } as const;
    this.events.push({ ...event, at: this.#at });
  }
}

// The instances of the demo's sessions: requested first, then moved along the documented transitions.

const START: readonly JoinStatus[] = ['requested', 'allocated', 'pending', 'joinable'];
const ORCHESTRATOR_ACCOUNT = 'fleet-orchestrator';

/** An instance that was just requested; transitions follow. */
export const createDemoInstance = (
  random: SeededRandom,
  { host, health = 'healthy' }: DemoSessionPlan,
  leader: DemoPlayer | undefined,
): InstanceInput => {
  const hostType = host === 'player' && !leader ? 'dedicated' : (host ?? 'dedicated');
  return {
    instance_id: makeId(random, 'instance'),
    host_type: hostType,
    ...(hostType === 'player' && leader
      ? {
          host_player_uuid: leader.playerUuid,
          ...(leader.playerId !== undefined && { host_player_id: leader.playerId }),
        }
      : {
          allocation_id: makeId(random, 'allocation'),
          host_dedicated_server_id: makeId(random, 'server'),
          host_dedicated_process_id: String(random.integer(2_000, 60_000)),
        }),
    join_status: 'requested',
    instance_startup_params: { map: random.pick(MAPS), mode: 'standard', misc_params: '-tick 60' },
    version: GAME_VERSION,
    instance_health: health,
    match_making_profile_id: 'default-profile',
  };
};

/** Moves a requested instance to the wanted status, or to joinable if that comes first. */
export const startInstance = (
  timeline: SessionTimeline,
  random: SeededRandom,
  wanted: JoinStatus | undefined,
): void => {
  if (wanted === undefined) return;
  const last = START.includes(wanted) ? START.indexOf(wanted) : START.length - 1;
  for (const status of START.slice(1, last + 1)) {
    timeline.wait(random.integer(1, 20));
    moveInstance(timeline, status, (instance) =>
      status === 'pending' ? addJoinParams(random, instance) : instance,
    );
  }
};

/** The statuses after joinable: the match begins, or the instance ends. */
export const settleInstance = (
  timeline: SessionTimeline,
  random: SeededRandom,
  wanted: JoinStatus | undefined,
): void => {
  if (wanted === undefined || START.includes(wanted)) return;
  timeline.wait(random.integer(5, 300));
  moveInstance(timeline, wanted, (instance) => instance);
};

const moveInstance = (
  timeline: SessionTimeline,
  joinStatus: JoinStatus,
  complete: (instance: InstanceInput) => InstanceInput,
): void => {
  const { instance } = timeline.session.details;
  if (!instance) return;
  const next = complete({ ...instance, join_status: joinStatus });
  timeline.change(ORCHESTRATOR_ACCOUNT, (session, at) => setInstance(session, next, at));
};

/** Addresses of the documentation range (RFC 5737), which lead nowhere. */
const addJoinParams = (random: SeededRandom, instance: InstanceInput): InstanceInput => {
  const port = random.integer(20_000, 29_999);
  return {
    ...instance,
    join_params: {
      public_conn_str: `203.0.113.${random.integer(1, 254)}:${port}`,
      private_conn_str: `198.51.100.${random.integer(1, 254)}:${port}`,
    },
  };
};
