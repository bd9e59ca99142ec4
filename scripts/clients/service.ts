// The real service as a process of its own, on its own PostgreSQL in a temporary folder.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import {
  launchOf,
  makeProofFolder,
  startService as startProcess,
} from '../runtimes/service-process.ts';

export type Service = {
  baseUrl: string;
  /** Calls a mutation of the admin API with all permissions and answers its data. */
  admin<Data>(procedure: string, input: object): Promise<Data>;
  /** A JWT that the service accepts (RFC 7519, HS256). */
  signToken(sub: string, permissions: readonly string[]): string;
  stop(): Promise<void>;
};

const TOKEN_LIFE_SECONDS = 24 * 3600;

export const startService = async (): Promise<Service> => {
  const folder = makeProofFolder();
  const secret = randomBytes(32).toString('hex');
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const environment = {
    PATH,
    PORT: '0',
    LOG_LEVEL: 'error',
    DEMO_DATA: '0',
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    DATA_DIR: folder.dataDir,
    AUTH_JWT_SECRET: secret,
  };
  try {
    const launch = launchOf({ command: process.execPath, args: [] });
    const { baseUrl, signal, ended, errors } = await startProcess(launch, environment);
    const signToken = createSigner(secret);
    const token = signToken('game-backend', ['*']);
    const admin: Service['admin'] = (procedure, input) =>
      callAdmin(`${baseUrl}/admin/trpc/${procedure}`, token, input);
    const stop = async () => {
      signal('SIGTERM');
      await ended;
      process.stderr.write(errors());
      folder.remove();
    };
    return { baseUrl, admin, signToken, stop };
  } catch (error) {
    folder.remove();
    throw error;
  }
};

const callAdmin = async <Data>(url: string, token: string, input: object): Promise<Data> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const answer = (await response.json()) as { result: { data: Data } };
  if (!response.ok) throw new Error(`${url} answered ${JSON.stringify(answer)}`);
  return answer.result.data;
};

const createSigner =
  (secret: string): Service['signToken'] =>
  (sub, permissions) => {
    const exp = Math.floor(Date.now() / 1000) + TOKEN_LIFE_SECONDS;
    const parts = [
      { alg: 'HS256', typ: 'JWT' },
      { sub, permissions, exp },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const signature = createHmac('sha256', secret).update(text.join('.')).digest('base64url');
    return [...text, signature].join('.');
  };

// Makes what one run of a recipe's program needs, and says it as the program's environment.

const TYPE = 'recipe';
const VERSIONS_PER_ITEM = 4;

/**
 * A player, sessions and a sandbox of its own for every call: no recipe sees another's. The names are those that every recipe explains.
 */
export const makeSettings = async (service: Service) => {
  const player = randomUUID();
  await service.admin('sessionTypes.upsert', { type: TYPE });
  const { sandboxId, itemIds } = await makeHistory(service);
  return {
    MUSTER_URL: service.baseUrl,
    MUSTER_TOKEN: service.signToken(player, ['session:update-player:self', 'sandbox:config:view']),
    // As engines write a UUID, which is the same player.
    PLAYER_UUID: player.replaceAll('-', '').toUpperCase(),
    OPEN_SESSION: await makeSession(service, 2),
    FULL_SESSION: await makeFullSession(service),
    SANDBOX_ID: sandboxId,
    ITEM_IDS: itemIds.join(','),
  };
};

const makeSession = async (service: Service, seats: number): Promise<string> => {
  // Every character that base64 has beyond letters and digits: a client that does not encode them fails.
  const id = `${randomBytes(9).toString('hex')}+/a=`;
  await service.admin('sessions.create', {
    type: TYPE,
    session_id: sessionIdOf(id),
    teams: [{ team_id: 0, max_size: seats }],
    platform_session: [
      { platform: 'Steam', platform_session_type: 'lobby', platform_session_id_base64: id },
    ],
  });
  return id;
};

const sessionIdOf = (platformSessionId: string): string => platformSessionId.slice(0, 18);

/** A reservation holds a seat as well as a player does. */
const makeFullSession = async (service: Service): Promise<string> => {
  const id = await makeSession(service, 1);
  const player = randomUUID();
  await service.admin('players.register', { player_uuid: player });
  await service.admin('sessions.invitePlayer', {
    type: TYPE,
    session_id: sessionIdOf(id),
    player_uuid: player,
    team_id: 0,
    status: 'reserved',
  });
  return id;
};

type Item = { item_id: string; version: number };
type Xp = { xp_id: string; version: number };

/**
 * Neither filter alone finds what both find together: ids of two iron Items and a bow, and the name of
 * the two and of a helmet.
 */
const makeHistory = async (service: Service): Promise<{ sandboxId: string; itemIds: string[] }> => {
  const { sandbox_id } = await service.admin<{ sandbox_id: string }>('sandboxes.create', {
    name: `Recipe ${randomUUID()}`,
  });
  const itemIds: string[] = [];
  for (const name of ['Iron Sword', 'Iron Shield', 'Oak Bow', 'Iron Helmet']) {
    itemIds.push(await makeItem(service, sandbox_id, name));
  }
  await makeXp(service, sandbox_id);
  return { sandboxId: sandbox_id, itemIds: itemIds.slice(0, 3) };
};

const makeItem = async (service: Service, sandbox_id: string, name: string): Promise<string> => {
  const fields = { sandbox_id, name, item_type: 'unit' };
  let { item_id, version } = await service.admin<Item>('items.create', fields);
  for (let number = 2; number <= VERSIONS_PER_ITEM; number += 1) {
    const edit = { expected_version: version, description: `Revision ${number}` };
    ({ version } = await service.admin<Item>('items.update', { sandbox_id, item_id, ...edit }));
  }
  return item_id;
};

const makeXp = async (service: Service, sandbox_id: string): Promise<void> => {
  const fields = { sandbox_id, name: 'Hero levels', xp_thresholds: [{ level: 1, xp: 0 }] };
  let { xp_id, version } = await service.admin<Xp>('xp.create', fields);
  for (const xp of [100, 120]) {
    const xp_thresholds = [...fields.xp_thresholds, { level: 2, xp }];
    const edit = { sandbox_id, xp_id, expected_version: version, xp_thresholds };
    ({ version } = await service.admin<Xp>('xp.update', edit));
  }
};
