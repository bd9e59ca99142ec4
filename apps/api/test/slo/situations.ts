// Everything that a service is measured under: the adversaries, and situations without any bad intent.
import type { Situation } from './adversaries.ts';
import { ADVERSARIES, rejoin } from './adversaries.ts';
import { idle, sendWithoutPause } from './behaviours.ts';
import { FLOODING_SERVICE_KEY, OVERLOAD, SLOW_CLIENTS } from './objectives.ts';
import { writeRequest } from './requests.ts';

export type { Attacker, AttackRequest } from './adversaries.ts';

/** Players that joins are offered for: so many that none exceeds what one player may ask for. */
export const OFFERED_PLAYERS = 3_200;
/** Enough to keep the service busy, with latency that says nothing: it measures the peak throughput. */
export const PEAK_CONNECTIONS = 64;

const OFFERED = {
  attackers: OFFERED_PLAYERS,
  connections: 4_000,
  behave: sendWithoutPause,
  writeRequests: (attacker, { offeredSessions: { [attacker.player]: session = '' } }) => [
    rejoin(attacker, [session]),
  ],
} satisfies Omit<Situation, 'objectives'>;

const TABLE = {
  ...ADVERSARIES,
  'one service key that floods': {
    attackers: 1,
    connections: 300,
    behave: sendWithoutPause,
    objectives: FLOODING_SERVICE_KEY,
    writeRequests: (_, { serviceKey, players, sessions }) =>
      players.map((player) => rejoin({ player, token: serviceKey }, sessions)),
  },
  '1,000 idle connections': {
    attackers: 8,
    connections: 1_000,
    behave: idle,
    objectives: SLOW_CLIENTS,
    writeRequests: () => [{ write: () => writeRequest({ path: '/healthz' }), calm: [200] }],
  },
  'peak throughput': { ...OFFERED, connections: PEAK_CONNECTIONS, objectives: {} },
  'three times the peak throughput': { ...OFFERED, objectives: OVERLOAD[3] },
  'ten times the peak throughput': { ...OFFERED, objectives: OVERLOAD[10] },
} satisfies Record<string, Situation>;

export type SituationName = keyof typeof TABLE;

export const SITUATIONS: Readonly<Record<SituationName, Situation>> = TABLE;

export const ADVERSARY_NAMES = Object.keys(ADVERSARIES) as (keyof typeof ADVERSARIES)[];
