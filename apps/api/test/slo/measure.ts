// Victims join at a fixed rate before, during and after an attack on one service; what they and the service show is the measurement.
import { randomUUID } from 'node:crypto';
import type { AdminCaller } from '../admin-caller.ts';
import { joinPath } from '../public-client.ts';
import type { AttackResult } from './attack.ts';
import { now, startChild } from './child-process.ts';
import type { Sample } from './latency.ts';
import { between, findRecovery, summarise } from './latency.ts';
import type { Measurement } from './objectives.ts';
import { writeJoinBody } from './requests.ts';
import type { Service } from './service.ts';
import { startService } from './service.ts';
import type { Stage } from './stage.ts';
import { forEachAtOnce, openAdmin, SEATS, SELF, SESSION_TYPE, seatPlayer } from './stage.ts';
import type { VictimPlan, VictimRequest } from './victims.ts';

const JOINS_PER_SECOND = 30;
const BEFORE_SECONDS = 4;
/** At 30 joins a second, 99.9 % of the joins means all of them. */
export const ATTACK_SECONDS = 12;
const AFTER_SECONDS = 6;
const JOINS = JOINS_PER_SECOND * (BEFORE_SECONDS + ATTACK_SECONDS + AFTER_SECONDS);
/** Node.js compiles what runs often: without these joins, the baseline would be that of a process that has just started. */
const WARM_UP_JOINS = 400;
/** From the order to start until the start. */
const LEAD_MS = 200;

/** Starts a service on a copy of the stage, and warms it up. */
export const openService = async (stage: Stage, hasIssuer = false): Promise<Service> => {
  const service = await startService(await stage.copyDatabase(), hasIssuer);
  await forEachAtOnce(choosePlayers(stage, 0, WARM_UP_JOINS), async ({ session, player, body }) => {
    await seatPlayer(service, session, player, body);
  });
  return service;
};

export type Victim = { session: string; player: string; request: VictimRequest };

/** The players of one measurement; each measurement on the same service has a number of its own, from 0. */
export const recruitVictims = async (
  stage: Stage,
  service: Service,
  measurement = 0,
): Promise<Victim[]> => {
  const victims: Victim[] = [];
  const players = choosePlayers(stage, WARM_UP_JOINS + measurement * JOINS, JOINS);
  for (const { session, player, body, address } of players) {
    const request: VictimRequest = {
      method: 'POST',
      path: joinPath(session, 'Steam', player),
      headers: {
        authorization: `Bearer ${await service.sign(player, [SELF])}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
      body,
      address,
    };
    victims.push({ session, player, request });
  }
  return victims;
};

/** New players, each with an address and with room in one session. */
const choosePlayers = ({ victimSessions }: Stage, first: number, count: number) => {
  if (first + count > victimSessions.length * SEATS) throw new Error('There are too few seats.');
  return Array.from({ length: count }, (_, offset) => {
    const index = first + offset;
    const lap = Math.floor(index / victimSessions.length);
    return {
      session: victimSessions[index % victimSessions.length] ?? '',
      player: randomUUID(),
      body: writeJoinBody({ teamId: lap % 2, custom: { rank: String(index % 50) } }),
      address: `127.1.${index >> 8}.${index & 255}`,
    };
  });
};

/** What is done to the service from this moment on, in milliseconds since 1970. */
export type Attack = (startAtMs: number) => Promise<AttackResult>;

export const measure = async (
  situation: string,
  service: Service,
  victims: readonly Victim[],
  attack: Attack,
): Promise<Measurement> => {
  const plan: VictimPlan = {
    port: service.port,
    perSecond: JOINS_PER_SECOND,
    requests: victims.map(({ request }) => request),
  };
  const child = await startChild<VictimPlan, Sample[]>(
    new URL('victims.ts', import.meta.url),
    plan,
  );
  await service.resetPeakMemory();
  const startAtMs = now() + LEAD_MS;
  const [samples, attacked] = await Promise.all([
    child.run(startAtMs),
    attack(startAtMs + BEFORE_SECONDS * 1_000),
  ]).finally(child.stop);
  const peakMemoryMb = await service.readPeakMemory();
  const fromMs = attacked.startedAtMs - startAtMs;
  const toMs = attacked.endedAtMs - startAtMs;
  const before = summarise(between(samples, 0, fromMs));
  return {
    situation,
    before,
    during: summarise(between(samples, fromMs, toMs)),
    after: summarise(between(samples, toMs, Number.POSITIVE_INFINITY)),
    firstTryShare: samples.filter(({ status }) => status === 200).length / samples.length,
    serverErrors:
      samples.filter(({ status }) => status >= 500).length + (attacked.statuses['500'] ?? 0),
    lostJoins: await countLost(await openAdmin(service), victims, samples),
    peakMemoryMb,
    recoverySeconds: findRecovery(samples, before, toMs),
    attack: { requests: attacked.requests, statuses: attacked.statuses },
  };
};

type StoredSession = { session: { teams: { players: { player_uuid: string }[] }[] } };

/** Victims whose join was answered 200, and who have no seat. */
const countLost = async (
  admin: AdminCaller,
  victims: readonly Victim[],
  samples: readonly Sample[],
): Promise<number> => {
  const seated = victims.filter((_, index) => samples[index]?.status === 200);
  const stored = new Set<string>();
  await forEachAtOnce([...new Set(seated.map(({ session }) => session))], async (session_id) => {
    const { status, data } = await admin.query<StoredSession>('sessions.get', {
      type: SESSION_TYPE,
      session_id,
    });
    if (status !== 200) throw new Error(`sessions.get responded ${status}`);
    for (const { player_uuid } of data.session.teams.flatMap(({ players }) => players)) {
      stored.add(`${session_id} ${player_uuid}`);
    }
  });
  return seated.filter(({ session, player }) => !stored.has(`${session} ${player}`)).length;
};
