// The real service as a process of its own, on its own PostgreSQL in a temporary folder.
import { randomBytes, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import {
  callAdmin,
  makeProofFolder,
  startService as startProcess,
} from '../runtimes/service-process.ts';

export type Service = {
  baseUrl: string;
  /** Calls a mutation of the admin API with all permissions and returns its data. */
  admin<Data>(procedure: string, input: object): Promise<Data>;
  signToken(sub: string, permissions: readonly string[]): Promise<string>;
  stop(): Promise<void>;
};

export const startService = async (): Promise<Service> => {
  const folder = makeProofFolder();
  const secret = randomBytes(32);
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  try {
    const process = await startProcess(
      { command: globalThis.process.execPath, args: [] },
      {
        PATH,
        NODE_COMPILE_CACHE,
        PORT: '0',
        LOG_LEVEL: 'error',
        DEMO_DATA: '0',
        // The program of a recipe reads many small pages of history at once.
        PLAYER_RATE_LIMIT_PER_SECOND: '0',
        DATA_DIR: folder.dataDir,
        AUTH_JWT_SECRET: secret.toString('hex'),
      },
    );
    const key = new TextEncoder().encode(secret.toString('hex'));
    const signToken: Service['signToken'] = (sub, permissions) =>
      new SignJWT({ permissions })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(sub)
        .setExpirationTime('24h')
        .sign(key);
    const token = await signToken('game-backend', ['*']);
    return {
      baseUrl: process.baseUrl,
      admin: (procedure, input) => callAdmin(process.baseUrl, token, procedure, input),
      signToken,
      stop: async () => {
        process.signal('SIGTERM');
        await process.ended;
        folder.remove();
      },
    };
  } catch (error) {
    folder.remove();
    throw error;
  }
};

const TYPE = 'recipe';

/**
 * The environment of a recipe's program, by the names that every recipe explains. Each call makes a player, sessions and a sandbox, so that
 * recipes do not affect each other.
 */
export const makeSettings = async (service: Service) => {
  const player = randomUUID();
  await service.admin('sessionTypes.upsert', { type: TYPE });
  const { sandboxId, itemIds } = await makeHistory(service);
  const permissions = ['session:update-player:self', `sandbox:${sandboxId}:config:view`];
  return {
    MUSTER_URL: service.baseUrl,
    MUSTER_TOKEN: await service.signToken(player, permissions),
    // As engines write a UUID, which is the same player.
    PLAYER_UUID: player.replaceAll('-', '').toUpperCase(),
    OPEN_SESSION: await makeSession(service, 2),
    FULL_SESSION: await makeFullSession(service),
    SANDBOX_ID: sandboxId,
    ITEM_IDS: itemIds.join(','),
    ADMIN_TOKEN: await service.signToken('game-backend', ['session:*']),
    SESSION_TYPE: `recipe-${randomUUID()}`,
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

/** A reservation takes the only seat. */
const makeFullSession = async (service: Service): Promise<string> => {
  const id = await makeSession(service, 1);
  const player_uuid = randomUUID();
  await service.admin('players.register', { player_uuid });
  await service.admin('sessions.invitePlayer', {
    type: TYPE,
    session_id: sessionIdOf(id),
    player_uuid,
    team_id: 0,
    status: 'reserved',
  });
  return id;
};

/**
 * Neither filter alone finds what both find together: ids of two iron Items and a bow, and the name of
 * the two and of a helmet.
 */
const makeHistory = async ({ admin }: Service) => {
  const { sandbox_id } = await admin<{ sandbox_id: string }>('sandboxes.create', {
    name: `Recipe ${randomUUID()}`,
  });
  const itemIds: string[] = [];
  for (const name of ['Iron Sword', 'Iron Shield', 'Oak Bow', 'Iron Helmet']) {
    const item = { sandbox_id, name, item_type: 'unit' };
    const { item_id } = await admin<{ item_id: string }>('items.create', item);
    for (const expected_version of [1, 2, 3]) {
      const description = `Revision ${expected_version + 1}`;
      await admin('items.update', { sandbox_id, item_id, expected_version, description });
    }
    itemIds.push(item_id);
  }
  const levels = [{ level: 1, xp: 0 }];
  const { xp_id } = await admin<{ xp_id: string }>('xp.create', {
    sandbox_id,
    name: 'Hero levels',
    xp_thresholds: levels,
  });
  for (const [at, xp] of [100, 120].entries()) {
    const xp_thresholds = [...levels, { level: 2, xp }];
    await admin('xp.update', { sandbox_id, xp_id, expected_version: at + 1, xp_thresholds });
  }
  return { sandboxId: sandbox_id, itemIds: itemIds.slice(0, 3) };
};
