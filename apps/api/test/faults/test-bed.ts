import { randomInt, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signToken } from '../../src/auth/index.ts';
import { createAdminCaller } from '../admin-caller.ts';

/** The log level of all service processes under test. */
export const SECRET = randomUUID() + randomUUID();

/** Below the ports of clients, so that no connection takes it before the service listens. */
export const chooseMetricsPort = (): number => randomInt(20_000, 30_000);

/** Longer than any clock is set ahead. */
const VALID_SECONDS = 3 * 24 * 60 * 60;

export const authorise = async (sub: string, permission: string): Promise<string> => {
  const claims = { sub, permissions: [permission] };
  const rules = { secret: SECRET, ttlSeconds: VALID_SECONDS, permissionsClaims: ['permissions'] };
  return `Bearer ${await signToken(claims, rules)}`;
};

// The sessions that players join during a fault, each with fewer seats than players.

export type TestBed = {
  /** Ids of their platform sessions, which are also those of the sessions. */
  sessions: readonly string[];
  seatsPerSession: number;
};

const TEAMS = 2;
/** Enough for a load to find free seats until its end, on any machine. */
const SEATS_PER_TEAM = 32;
const AT_ONCE = 16;

export const createTestBed = async (baseUrl: string, count: number): Promise<TestBed> => {
  const admin = createAdminCaller(baseUrl, { authorization: await authorise('backend', '*') });
  const sessions = Array.from({ length: count }, () => randomUUID());
  const waiting = [...sessions];
  const create = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const { status, code } = await admin.mutate('sessions.create', {
        type: 'testBed',
        session_id: id,
        teams: Array.from({ length: TEAMS }, () => ({ max_size: SEATS_PER_TEAM })),
        platform_session: [
          { platform: 'Steam', platform_session_type: 'lobby', platform_session_id_base64: id },
        ],
      });
      // A process that has just started on a busy machine may respond that it is overloaded, although it made the
      // session.
      if (status === 503) waiting.push(id);
      else if (status !== 200 && code !== 'session_exists') {
        throw new Error(`sessions.create answered ${status} ${code}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
  return { sessions, seatsPerSession: TEAMS * SEATS_PER_TEAM };
};

/** More players than seats for each session, so that some must be refused. */
const PLAYERS_PER_SESSION = 80;
/** The number of sessions that players join at a time. */
const OPEN_AT_ONCE = 16;

/** The session and the team that the player with this number joins. */
export const chooseSeat = ({ sessions }: TestBed, number: number) => {
  const group = Math.floor(number / (OPEN_AT_ONCE * PLAYERS_PER_SESSION));
  const index = (group * OPEN_AT_ONCE + (number % OPEN_AT_ONCE)) % sessions.length;
  return { session: sessions[index] ?? '', teamId: Math.floor(number / OPEN_AT_ONCE) % TEAMS };
};

// The PostgreSQL that a service has started in its data folder, as described by its files.

export const readOwnDatabase = async (dataDir: string): Promise<{ pid: number; url: string }> => {
  const folder = join(dataDir, 'postgres');
  const file = await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8');
  const [pid, , , port] = file.split('\n');
  const password = await readFile(join(folder, 'password'), 'utf8');
  return { pid: Number(pid), url: `postgresql://muster:${password}@127.0.0.1:${port}/muster` };
};
