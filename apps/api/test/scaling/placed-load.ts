// Joins of players whose session, route and player are all on one node of a cluster, so that faults of other nodes do
// not affect them.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { findShards, shardOf } from '@muster/database';
import pg from 'pg';
import { platformSessionDigest } from '../../src/sessions/session.ts';
import { authorise, createTestBed } from '../faults/test-bed.ts';

export type PlacedJoin = { session: string; player: string; status: number; code?: string };

export type PlacedSessions = {
  /** The sessions on each node, by its number in the catalogue of Citus. */
  byNode: ReadonlyMap<number, readonly string[]>;
  /** A player who is not yet known on that node. */
  createPlayer(node: number): string;
};

/** Creates this many sessions; returns those whose platform session is on the same node. */
export const createPlacedSessions = async (
  baseUrl: string,
  databaseUrl: string,
  count: number,
): Promise<PlacedSessions> => {
  const { sessions } = await createTestBed(baseUrl, count);
  const { shardRanges } = await findShards(databaseUrl);
  const nodeOf = (table: string, key: string) => {
    const ranges = shardRanges[table];
    return ranges?.[shardOf(key, ranges)]?.node ?? -1;
  };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client
    .query<{ id: string; key: string }>(READ_KEYS, [sessions])
    .finally(() => client.end());
  const whole = rows.filter(({ id, key }) => {
    const digest = platformSessionDigest('Steam', id);
    return nodeOf('session', key) === nodeOf('platform_session_route', digest);
  });
  const groups = Map.groupBy(whole, ({ key }) => nodeOf('session', key));
  return {
    byNode: new Map([...groups].map(([node, found]) => [node, found.map(({ id }) => id)])),
    createPlayer: (node) => {
      for (;;) {
        const player = randomUUID();
        if (nodeOf('player', player) === node) return player;
      }
    },
  };
};

const READ_KEYS =
  'SELECT session_id AS id, session_key::text AS key FROM session WHERE session_id = ANY($1)';

export const joinOnce = async (
  baseUrl: string,
  session: string,
  player: string,
): Promise<PlacedJoin> => {
  const path = `/session/v1/platform/Steam/platform-session/${session}/player/${player}`;
  const client_settings = { platform: 'Steam', input: 'gamepad' };
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: await authorise(player, 'session:update-player:self'),
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      client_version: '1.0.0',
      client_settings,
      team_id: Number.parseInt(player.slice(-1), 16) % 2,
    }),
  });
  const { error_code: code } = (await response.json()) as { error_code?: string };
  return { session, player, status: response.status, ...(code !== undefined && { code }) };
};

export type PlacedLoad = {
  /** All responses so far, in order. */
  answers: readonly PlacedJoin[];
  /** The number of seated players so far. */
  countSeated(): number;
  stop(): Promise<void>;
};

/** This many concurrent clients join with new players, each once. */
export const startPlacedLoad = (
  baseUrls: readonly string[],
  { byNode, createPlayer }: PlacedSessions,
  node: number,
  clients: number,
): PlacedLoad => {
  const answers: PlacedJoin[] = [];
  const sessions = byNode.get(node) ?? [];
  let [isStopped, begun, seated] = [false, 0, 0];
  const work = async () => {
    while (!isStopped) {
      begun += 1;
      const baseUrl = baseUrls[begun % baseUrls.length] ?? '';
      const session = sessions[begun % sessions.length] ?? '';
      const answer = await joinOnce(baseUrl, session, createPlayer(node));
      answers.push(answer);
      if (answer.status === 200) seated += 1;
      await delay(PAUSE_MS);
    }
  };
  const working = Array.from({ length: clients }, work);
  return {
    answers,
    countSeated: () => seated,
    stop: async () => {
      isStopped = true;
      await Promise.all(working);
    },
  };
};

/** The sessions have enough seats for a minute. */
const PAUSE_MS = 200;
