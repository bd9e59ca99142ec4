// What the victims and the attackers find: made once, through the interfaces of the service, and copied for each situation.
import { randomUUID } from 'node:crypto';
import { startFragilePostgres } from '@muster/database/testing';
import pg from 'pg';
import type { AdminCaller } from '../admin-caller.ts';
import { createAdminCaller } from '../admin-caller.ts';
import { joinPath } from '../public-client.ts';
import { writeJoinBody } from './requests.ts';
import type { Service } from './service.ts';
import { startService } from './service.ts';

export type Targets = {
  /** Players of the attackers. */
  players: readonly string[];
  /** Platform session ids of sessions with a seat for each of these players. */
  sessions: readonly string[];
  /** The only seat is taken by another player. */
  fullSession: string;
  /** Almost as large as a session may be. */
  largestSession: string;
  /** Thousands of versions; the newest are as large as a record may be. */
  sandbox: string;
  /** Path of the largest file of the documentation page. */
  docsScript: string;
  /** May act for any player. */
  serviceKey: string;
  /** A player who is not an attacker. */
  victim: string;
  /** By player: the sessions of those that joins are offered for. Empty where none are offered. */
  offeredSessions: Readonly<Record<string, string>>;
};

export type Stage = {
  targets: Targets;
  /** Platform session ids, which are also the session ids, of sessions that victims join. */
  victimSessions: readonly string[];
  /** The URL of a new database with all of this in it. */
  copyDatabase(): Promise<string>;
  remove(): Promise<void>;
};

export const SESSION_TYPE = 'slo';
export const SELF = 'session:update-player:self';
const TEAMS = 2;
const SEATS_PER_TEAM = 8;
export const SEATS = TEAMS * SEATS_PER_TEAM;

/** Room for the victims of two measurements and their repetitions, and for those that warm the service up. */
const VICTIM_SESSIONS = 190;
const ATTACKED_SESSIONS = 16;
const ATTACKERS = 8;

/** On a PostgreSQL with the settings of production: joins wait for the disk. */
export const prepareStage = async (): Promise<Stage> => {
  const postgres = await startFragilePostgres();
  const service = await startService(postgres.url);
  const victimSessions = newIds(VICTIM_SESSIONS);
  let targets: Targets;
  try {
    targets = await makeTargets(service);
    await createSessions(service, victimSessions);
  } finally {
    await service.stop();
  }
  const ask = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: new URL('/postgres', postgres.url).href });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  let copies = 0;
  return {
    targets,
    victimSessions,
    copyDatabase: async () => {
      copies += 1;
      await ask(`CREATE DATABASE slo_${copies} TEMPLATE muster`);
      return new URL(`/slo_${copies}`, postgres.url).href;
    },
    remove: () => postgres.remove(),
  };
};

export const newIds = (count: number): string[] =>
  Array.from({ length: count }, () => randomUUID());

export const openAdmin = async (service: Service): Promise<AdminCaller> =>
  createAdminCaller(service.baseUrl, {
    authorization: `Bearer ${await service.sign('operator', ['*'])}`,
  });

const makeTargets = async (service: Service): Promise<Targets> => {
  const admin = await openAdmin(service);
  const [fullSession = '', largestSession = '', victim = ''] = newIds(3);
  const players = newIds(ATTACKERS);
  const sessions = newIds(ATTACKED_SESSIONS);
  await createSessions(service, sessions);
  await createSessions(service, [fullSession], [1]);
  await createSessions(service, [largestSession], [100, 100]);
  await seatPlayer(service, fullSession, victim);
  await fillSession(service, largestSession, players);
  return {
    players,
    sessions,
    fullSession,
    largestSession,
    sandbox: await createSandbox(admin),
    docsScript: await findDocsScript(service),
    serviceKey: await createServiceKey(admin),
    victim,
    offeredSessions: {},
  };
};

/** How many requests prepare the stage at a time. */
const AT_ONCE = 8;

export const forEachAtOnce = async <Each>(
  all: readonly Each[],
  work: (each: Each, index: number) => Promise<void>,
): Promise<void> => {
  const entries = all.entries();
  const worker = async () => {
    for (const [index, each] of entries) await work(each, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

/** With the id of each as that of its platform session. */
export const createSessions = async (
  service: Service,
  ids: readonly string[],
  sizes: readonly number[] = Array<number>(TEAMS).fill(SEATS_PER_TEAM),
): Promise<void> => {
  const admin = await openAdmin(service);
  await forEachAtOnce(ids, async (id) => {
    await call(admin, 'sessions.create', {
      type: SESSION_TYPE,
      session_id: id,
      teams: sizes.map((max_size) => ({ max_size })),
      platform_session: [
        {
          platform: 'Steam',
          platform_session_type: 'lobby',
          platform_session_id_base64: id,
        },
      ],
    });
  });
};

export const call = async <Data>(
  admin: AdminCaller,
  procedure: string,
  input: object,
): Promise<Data> => {
  const { status, code, data } = await admin.mutate<Data>(procedure, input);
  if (status !== 200) throw new Error(`${procedure} responded ${status} ${code}`);
  return data;
};

/** Resolves with the length of the session in bytes. */
export const seatPlayer = async (
  service: Service,
  session: string,
  player: string,
  body = writeJoinBody(),
): Promise<number> => {
  const response = await fetch(service.baseUrl + joinPath(session, 'Steam', player), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await service.sign(player, [SELF])}`,
      'content-type': 'application/json',
    },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`A join responded ${response.status}: ${text}`);
  return text.length;
};

/** Of the 256 KiB that a session may have; the rest is for what attackers change. */
const LARGEST_SESSION_BYTES = 235 * 1_024;

const fillSession = async (
  service: Service,
  session: string,
  players: readonly string[],
): Promise<void> => {
  const custom = { loadout: 'x'.repeat(1_000) };
  for (const player of players) await seatPlayer(service, session, player);
  for (let bytes = 0, count = 0; bytes < LARGEST_SESSION_BYTES; count += 1) {
    const [player = ''] = newIds(1);
    const body = writeJoinBody({ teamId: count % TEAMS, custom });
    bytes = await seatPlayer(service, session, player, body);
  }
};

const NARROW_ITEMS = 2_000;
const WIDE_ITEMS = 120;
/** Some 50 KB each: more than a page of 4 MiB holds. */
const WIDE_TAGS = Array.from({ length: 100 }, (_, index) => `${index} ${'𝄞'.repeat(124)}`);

const createSandbox = async (admin: AdminCaller): Promise<string> => {
  const { sandbox_id } = await call<{ sandbox_id: string }>(admin, 'sandboxes.create', {
    name: 'Objectives',
  });
  const create = async (count: number, atOnce: number, tags: readonly string[]) => {
    for (let first = 0; first < count; first += atOnce) {
      const operations = Array.from({ length: atOnce }, (_, index) => ({
        operation: 'create',
        name: `Sword of the north ${first + index}`,
        item_type: 'unit',
        tags,
      }));
      await call(admin, 'items.bulk', { sandbox_id, operations });
    }
  };
  await create(NARROW_ITEMS, 500, ['narrow']);
  await create(WIDE_ITEMS, 20, WIDE_TAGS);
  return sandbox_id;
};

const findDocsScript = async ({ baseUrl }: Service): Promise<string> => {
  const page = await (await fetch(`${baseUrl}/docs`)).text();
  const [path] = /\/docs\/[^"]+\/swagger-ui-bundle\.js/.exec(page) ?? [];
  if (path === undefined) throw new Error('The documentation page names no script.');
  return path;
};

const createServiceKey = async (admin: AdminCaller): Promise<string> => {
  const { account_id } = await call<{ account_id: string }>(admin, 'keys.createAccount', {
    name: 'Backend',
  });
  const { key } = await call<{ key: string }>(admin, 'keys.create', {
    account_id,
    name: 'Backend',
    permissions: ['session:*'],
  });
  return key;
};
