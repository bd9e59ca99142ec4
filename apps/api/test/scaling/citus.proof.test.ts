// The service on a real Citus cluster behaves for clients like the service on one node.
import { randomUUID } from 'node:crypto';
import type { Target } from '@muster/conformance';
import { closeConnections, createTarget, suite } from '@muster/conformance';
import { findShards } from '@muster/database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signToken } from '../../src/auth/index.ts';
import { makeHotRequests } from '../distribution/hot-requests.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { testEachCase } from '../test-each-case.ts';
import { startTestService } from '../test-service.ts';
import { cluster, hasNoCitus } from './with-citus.ts';

const secret = `${randomUUID()}${randomUUID()}`;

describe.skipIf(hasNoCitus)('on a Citus cluster', () => {
  let services: ServiceProcess[];
  let target: Target;
  let database: pg.Client;
  beforeAll(async () => {
    const environment = { DATABASE_URL: cluster.url, AUTH_JWT_SECRET: secret };
    services = await Promise.all([1, 2, 3].map(() => startServiceProcess(environment)));
    const baseUrl = new URL(services[0]?.baseUrl ?? '');
    target = await createTarget({ baseUrl, secret, historyAccess: 'authenticated' });
    database = new pg.Client({ connectionString: cluster.url });
    await database.connect();
  });
  afterAll(async () => {
    closeConnections();
    expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0, 0]);
    await database.end();
    await cluster.stop();
  });

  const post = async (index: number, path: string, sub: string, body: object) => {
    const permissions = sub === 'backend' ? ['*'] : ['session:update-player:self'];
    const options = { secret, ttlSeconds: 3_600, permissionsClaims: ['permissions'] };
    const token = await signToken({ sub, permissions }, options);
    return fetch(`${services[index % services.length]?.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  };

  const createSession = async (size: number): Promise<string> => {
    const id = randomUUID();
    const lobby = { platform: 'Steam', platform_session_type: 'lobby' };
    const { status } = await post(0, '/admin/trpc/sessions.create', 'backend', {
      type: 'citus',
      session_id: id,
      teams: [{ max_size: size }],
      platform_session: [{ ...lobby, platform_session_id_base64: id }],
    });
    expect(status).toBe(200);
    return id;
  };

  const join = async (index: number, session: string, player: string) => {
    const path = `/session/v1/platform/Steam/platform-session/${session}/player/${player}`;
    const client = {
      client_version: '1.0.0',
      client_settings: { platform: 'Steam', input: 'touch' },
    };
    const answer = await post(index, path, player, { ...client, team_id: 0 });
    const body = (await answer.json()) as { error_code?: string };
    return { session, player, status: answer.status, code: body.error_code };
  };

  type Joined = Awaited<ReturnType<typeof join>>;
  const toSeat = ({ session, player }: Pick<Joined, 'session' | 'player'>) =>
    `${session} ${player}`;

  const readSeats = async (sessions: readonly string[]): Promise<string[]> => {
    const { rows } = await database.query<Pick<Joined, 'session' | 'player'>>(
      `SELECT s.session_id AS session, p.player_uuid AS player
       FROM session_seat p JOIN session s USING (session_key) WHERE s.session_id = ANY($1)`,
      [sessions],
    );
    return rows.map(toSeat);
  };

  /** Players with a seat in a live session who are not registered. */
  const listUnregistered = async (): Promise<string[]> => {
    const { rows: seated } = await database.query<{ player: string }>(
      `SELECT DISTINCT p.player_uuid AS player
       FROM session_seat p JOIN session s USING (session_key) WHERE s.ended_at IS NULL`,
    );
    const { rows: registered } = await database.query<{ player: string }>(
      'SELECT player_uuid AS player FROM player',
    );
    const known = new Set(registered.map(({ player }) => player));
    return seated.map(({ player }) => player).filter((player) => !known.has(player));
  };

  testEachCase(suite, () => target, { timeoutMs: 300_000 });

  test('gives the last seat to exactly one of 200 players, 20 times', async () => {
    for (let round = 0; round < 20; round += 1) {
      const session = await createSession(1);
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => join(index, session, randomUUID())),
      );
      const seated = answers.filter(({ status }) => status === 200);
      expect(seated).toHaveLength(1);
      expect(await readSeats([session])).toEqual(seated.map(toSeat));
    }
  });

  test('registers a player again at the next sweep who was deleted during a join', async () => {
    const players = Array.from({ length: 6 }, () => randomUUID());
    let missed = 0;
    for (let round = 0; round < 10; round += 1) {
      for (const player_uuid of players) {
        await post(0, '/admin/trpc/players.register', 'backend', { player_uuid });
      }
      const session = await createSession(players.length);
      const joins = players.map((player, index) => join(index, session, player));
      const deletions = players.map((player_uuid, index) =>
        post(index + 1, '/admin/trpc/players.delete', 'backend', { player_uuid }),
      );
      const joined = await Promise.all(joins);
      expect(joined.map(({ status }) => status)).toEqual(players.map(() => 200));
      const statuses = (await Promise.all(deletions)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
      missed += (await listUnregistered()).length;
      await expect.poll(listUnregistered).toEqual([]);
      const ended = { type: 'citus', session_id: session };
      expect((await post(0, '/admin/trpc/sessions.end', 'backend', ended)).status).toBe(200);
    }
    expect(missed).toBeGreaterThan(0);
  });

  test('stores exactly the 4,000 acknowledged joins over 500 sessions', async () => {
    const sessions: string[] = [];
    while (sessions.length < 500) {
      sessions.push(...(await Promise.all([1, 2, 3, 4, 5].map(() => createSession(8)))));
    }
    const waiting = sessions.flatMap((session) => Array.from({ length: 8 }, () => session));
    const answers: Joined[] = [];
    const client = async (index: number) => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        answers.push(await join(index, next, randomUUID()));
      }
    };
    await Promise.all(Array.from({ length: 48 }, (_, index) => client(index)));
    const seated = answers.filter(({ status }) => status === 200).map(toSeat);
    expect(answers).toHaveLength(4_000);
    expect(seated.length).toBeGreaterThan(3_900);
    expect((await readSeats(sessions)).sort()).toEqual(seated.sort());
  });

  test('sends statements of joins and histories to one shard', async () => {
    const shards = await findShards(cluster.url);
    expect(shards.shards).toBe(8);
    const commands = recordCommands();
    const url = `${cluster.url}?options=${encodeURIComponent(LOGGED)}`;
    const service = await startTestService({ databaseUrl: url, shards });
    try {
      await makeHotRequests(service);
    } finally {
      await service.close();
      commands.stop();
    }
    const hot = [...commands.most].filter(([name]) => HOT.test(name));
    expect(hot.map(([name]) => name)).toEqual(expect.arrayContaining(KNOWN_HOT));
    expect(hot.filter(([, most]) => most !== 1)).toEqual([]);
  });
});

const LOGGED = '-c citus.log_remote_commands=on -c client_min_messages=notice';
const HOT =
  /^(?:find_(?:routes|players)|(?:read|check|write)_sessions|(?:register|reconnect)_players|record_refusals|history_)/;
const KNOWN_HOT = [
  'find_routes',
  'find_players',
  'read_sessions',
  'check_sessions',
  'write_sessions',
  'register_players',
  'reconnect_players',
  'record_refusals',
  'history_start',
  'history_page',
];

type Statement = { name?: string; label?: string };

/** The maximum number of commands that Citus sent to shards for one run of a statement of this process, by its name. */
const recordCommands = () => {
  const most = new Map<string, number>();
  const running = new WeakMap<pg.Client, { name: string; commands: number }>();
  const original = pg.Client.prototype.query;
  const note = (client: pg.Client, text: string) => {
    const current = running.get(client);
    if (!current || !/^issuing (?:SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text)) return;
    if (text.includes('assign_distributed_transaction_id')) return;
    current.commands += 1;
    most.set(current.name, Math.max(current.commands, most.get(current.name) ?? 0));
  };
  const record = function (this: pg.Client, ...args: [Statement | string, ...unknown[]]) {
    const [asked] = args;
    if (!running.has(this)) this.on('notice', ({ message }) => note(this, message ?? ''));
    const name = typeof asked === 'string' ? asked : (asked.label ?? asked.name ?? '');
    running.set(this, { name, commands: 0 });
    return Reflect.apply(original, this, args);
  };
  pg.Client.prototype.query = record as typeof original;
  return {
    most,
    stop: () => {
      pg.Client.prototype.query = original;
    },
  };
};
