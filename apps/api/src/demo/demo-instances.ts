// The instances of the demo's sessions: asked for at first, then moved along the documented transitions.
import type { InstanceInput, JoinStatus } from '@muster/contract';
import { setInstance } from '../sessions/index.ts';
import { makeId } from './demo-ids.ts';
import type { DemoPlayer } from './demo-players.ts';
import type { SessionLife } from './demo-session-life.ts';
import type { DemoSessionPlan } from './demo-session-plans.ts';
import { GAME_VERSION, MAPS } from './demo-session-plans.ts';
import type { SeededRandom } from './seeded-random.ts';

const START: readonly JoinStatus[] = ['requested', 'allocated', 'pending', 'joinable'];
const ORCHESTRATOR_ACCOUNT = 'fleet-orchestrator';

/** An instance that was just asked for; the rest of its life are transitions. */
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

/** Moves a requested instance on to the wanted status, or to joinable where that comes first. */
export const startInstance = (
  life: SessionLife,
  random: SeededRandom,
  wanted: JoinStatus | undefined,
): void => {
  if (wanted === undefined) return;
  const last = START.includes(wanted) ? START.indexOf(wanted) : START.length - 1;
  for (const status of START.slice(1, last + 1)) {
    life.wait(random.integer(1, 20));
    moveInstance(life, status, (instance) =>
      status === 'pending' ? addJoinParams(random, instance) : instance,
    );
  }
};

/** What comes after joinable: the match begins, or the instance is done. */
export const settleInstance = (
  life: SessionLife,
  random: SeededRandom,
  wanted: JoinStatus | undefined,
): void => {
  if (wanted === undefined || START.includes(wanted)) return;
  life.wait(random.integer(5, 300));
  moveInstance(life, wanted, (instance) => instance);
};

const moveInstance = (
  life: SessionLife,
  joinStatus: JoinStatus,
  complete: (instance: InstanceInput) => InstanceInput,
): void => {
  const { instance } = life.session.details;
  if (!instance) return;
  const next = complete({ ...instance, join_status: joinStatus });
  life.change(ORCHESTRATOR_ACCOUNT, (session, at) => setInstance(session, next, at));
};

/** Addresses of the documentation range (RFC 5737): they lead nowhere. */
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
