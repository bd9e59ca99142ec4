// Measures the peak throughput of a service, then offers several times of it. Its players have seats and change their data, so that
// every join writes, at the peak as under overload.
import type { Victim } from './measure.ts';
import { measure, openService, recruitVictims } from './measure.ts';
import type { Measurement } from './objectives.ts';
import { recruitAttackers, withAttack } from './run-adversary.ts';
import type { Service } from './service.ts';
import type { Attacker } from './situations.ts';
import { OFFERED_PLAYERS } from './situations.ts';
import type { Stage, Targets } from './stage.ts';
import { createSessions, forEachAtOnce, newIds, SEATS, seatPlayer } from './stage.ts';

const PEAK_SECONDS = 5;
const OVERLOAD_SECONDS = 8;

/** A service that has shown its peak throughput. */
export type MeasuredService = {
  peakPerSecond: number;
  /** Offers the load, as a multiple of the peak throughput. */
  overload(times: 3 | 10): Promise<Measurement>;
  stop(): Promise<void>;
};

export const measurePeak = async (stage: Stage): Promise<MeasuredService> => {
  const service = await openService(stage);
  try {
    const targets = await seatPlayers(service, stage.targets);
    const players = Object.keys(targets.offeredSessions);
    const attackers = await recruitAttackers(service, targets, players);
    const peak = { name: 'peak throughput', service, attackers, targets } as const;
    const { servedPerSecond } = await withAttack({ ...peak, seconds: PEAK_SECONDS }, (attack) =>
      attack(0),
    );
    const parts = { service, targets, attackers, peakPerSecond: servedPerSecond };
    let measurements = 0;
    return {
      peakPerSecond: servedPerSecond,
      // Also when a measurement is repeated, its victims need free seats.
      overload: async (times) => {
        const victims = await recruitVictims(stage, service, measurements);
        measurements += 1;
        return overload(parts, times, victims);
      },
      stop: service.stop,
    };
  } catch (error) {
    await service.stop();
    throw error;
  }
};

const seatPlayers = async (service: Service, targets: Targets): Promise<Targets> => {
  const sessions = newIds(OFFERED_PLAYERS / SEATS);
  await createSessions(service, sessions, [SEATS]);
  const offered = newIds(OFFERED_PLAYERS).map((player, index): [string, string] => [
    player,
    sessions[index % sessions.length] ?? '',
  ]);
  await forEachAtOnce(offered, async ([player, session]) => {
    await seatPlayer(service, session, player);
  });
  return { ...targets, offeredSessions: Object.fromEntries(offered) };
};

type Parts = {
  service: Service;
  targets: Targets;
  attackers: readonly Attacker[];
  peakPerSecond: number;
};

const NAMES = {
  3: 'three times the peak throughput',
  10: 'ten times the peak throughput',
} as const;

const overload = async (
  { service, targets, attackers, peakPerSecond }: Parts,
  times: 3 | 10,
  victims: readonly Victim[],
): Promise<Measurement> => {
  const name = NAMES[times];
  const seconds = OVERLOAD_SECONDS;
  const load = { perSecond: peakPerSecond * times, seconds };
  return withAttack({ name, service, attackers, targets, ...load }, async (attack) => {
    const attacking = Promise.withResolvers<Awaited<ReturnType<typeof attack>>>();
    const measurement = await measure(name, service, victims, async (startAtMs) => {
      const attacked = await attack(startAtMs);
      attacking.resolve(attacked);
      return attacked;
    });
    const { requests, notSent, servedPerSecond, servedP99Ms, rejectionsWithoutRetryAfter } =
      await attacking.promise;
    return {
      ...measurement,
      overload: {
        peakPerSecond,
        offeredPerSecond: (requests + notSent) / seconds,
        servedPerSecond,
        servedP99Ms,
        rejectionsWithoutRetryAfter,
      },
    };
  });
};
