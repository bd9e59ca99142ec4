// Lets the attackers of one situation loose on a service, from a process of their own.
import type { AttackPlan, AttackResult } from './attack.ts';
import { startChild } from './child-process.ts';
import { ATTACK_SECONDS, measure, openService, recruitVictims } from './measure.ts';
import type { Measurement } from './objectives.ts';
import { openConnection } from './raw-connection.ts';
import type { Service } from './service.ts';
import type { Attacker, SituationName } from './situations.ts';
import { SITUATIONS } from './situations.ts';
import type { Stage, Targets } from './stage.ts';
import { SELF } from './stage.ts';

/** On a service of its own. */
export const runAdversary = async (stage: Stage, name: SituationName): Promise<Measurement> => {
  const { attackers: count, hasIssuer = false } = SITUATIONS[name];
  const service = await openService(stage, hasIssuer);
  try {
    const { targets } = stage;
    const attackers = await recruitAttackers(service, targets, targets.players.slice(0, count));
    await checkRequests(name, service, attackers, targets);
    const victims = await recruitVictims(stage, service);
    return await withAttack({ name, service, attackers, targets }, (attack) =>
      measure(name, service, victims, attack),
    );
  } finally {
    await service.stop();
  }
};

/** Each with an address of its own. */
export const recruitAttackers = (
  service: Service,
  { sandbox }: Targets,
  players: readonly string[],
): Promise<Attacker[]> =>
  Promise.all(
    players.map(async (player, index) => ({
      player,
      token: await service.sign(player, [SELF, `sandbox:${sandbox}:config:view`]),
      address: `127.2.${index >> 8}.${index & 255}`,
    })),
  );

type AttackOptions = {
  name: SituationName;
  service: Service;
  attackers: readonly Attacker[];
  targets: Targets;
  /** Absent: as fast as the connections allow. */
  perSecond?: number;
  seconds?: number;
};

/** Starts the process of the attackers, and ends it when `work` is done. */
export const withAttack = async <Result>(
  { name, service, seconds = ATTACK_SECONDS, ...options }: AttackOptions,
  work: (attack: (startAtMs: number) => Promise<AttackResult>) => Promise<Result>,
): Promise<Result> => {
  const child = await startChild<AttackPlan, AttackResult>(new URL('attack.ts', import.meta.url), {
    ...options,
    situation: name,
    port: service.port,
    connections: SITUATIONS[name].connections,
    seconds,
  });
  return work(child.run).finally(child.stop);
};

/**
 * Sends every request of the attack once, each by another attacker, so that no rate limit applies: an attack whose requests do something else
 * proves nothing.
 */
const checkRequests = async (
  name: SituationName,
  { port }: Service,
  attackers: readonly Attacker[],
  targets: Targets,
): Promise<void> => {
  const requestsOf = attackers.map((attacker) => SITUATIONS[name].writeRequests(attacker, targets));
  for (const index of requestsOf[0]?.keys() ?? []) {
    const attacker = attackers[index % attackers.length];
    const request = requestsOf[index % attackers.length]?.[index];
    if (!attacker || !request) throw new Error(`${name} has no attacker.`);
    const status = await sendOnce(port, attacker.address, request.write(index));
    if (!request.calm.includes(status)) {
      throw new Error(`${name}: request ${index} is answered ${status}, not ${request.calm}.`);
    }
  }
};

const sendOnce = (port: number, address: string, bytes: string | Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    const connection = openConnection(
      { port, address },
      {
        onOpen: () => connection.write(bytes),
        onResponse: ({ status }) => {
          resolve(status);
          connection.destroy();
        },
        onClose: (error) => reject(new Error(`The connection ended: ${error}.`)),
      },
    );
  });
