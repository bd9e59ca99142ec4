// Races over HTTP through three service processes on one database, in every deployment.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@muster/database/testing';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningDeployment } from './scaling/deployments.ts';
import { DEPLOYMENTS } from './scaling/deployments.ts';

const SECRET = randomUUID() + randomUUID();

let running: RunningDeployment;

const sign = (sub: string, permissions: string[]): Promise<string> =>
  new SignJWT({ permissions })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(sub)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));

const baseUrlOf = (index: number): string =>
  running.baseUrls[index % running.baseUrls.length] ?? '';

const callAdmin = async (procedure: string, input: object): Promise<unknown> => {
  const answer = await fetch(`${baseUrlOf(0)}/admin/trpc/${procedure}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await sign('backend', ['*'])}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(input),
  });
  expect(answer.status).toBe(200);
  return answer.json();
};

const createSession = async (sizes: number[]): Promise<string> => {
  const id = randomUUID();
  await callAdmin('sessions.create', {
    type: 'race',
    teams: sizes.map((max_size) => ({ max_size })),
    platform_session: [
      { platform: 'Steam', platform_session_type: 'lobby', platform_session_id_base64: id },
    ],
  });
  return id;
};

type Answer = { outcome: string; retryAfter: string | null; etag: string | null; seats: number };

type Body = { error_code?: string; teams?: { players: unknown[] }[] };

const countSeats = ({ teams = [] }: Body): number =>
  teams.reduce((seats, team) => seats + team.players.length, 0);

/** Joins like a client: a refusal by an overloaded service is repeated when its Retry-After ends. */
const join = async (index: number, session: string, player: string): Promise<Answer> => {
  for (;;) {
    const answer = await tryToJoin(index, session, player);
    if (answer.outcome !== 'service_overloaded') return answer;
    await sleep(Number(answer.retryAfter) * 1_000);
  }
};

const tryToJoin = async (index: number, session: string, player: string): Promise<Answer> => {
  const path = `/session/v1/platform/Steam/platform-session/${session}/player/${player}`;
  const answer = await fetch(baseUrlOf(index) + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await sign(player, ['session:update-player:self'])}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      client_version: '1.0.0',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      team_id: 0,
    }),
  });
  const body = (await answer.json()) as Body;
  return {
    outcome: body.error_code ?? String(answer.status),
    retryAfter: answer.headers.get('retry-after'),
    etag: answer.headers.get('etag'),
    seats: countSeats(body),
  };
};

const race = (count: number, session: string, playerOf: () => string): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => join(index, session, playerOf())));

const tally = (answers: Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

describe.each(DEPLOYMENTS)('$name', ({ start, share }) => {
  let dropDatabase: () => Promise<void>;
  beforeAll(async () => {
    const database = await createTestDatabase();
    dropDatabase = database.drop;
    running = await start({ DATABASE_URL: database.url, AUTH_JWT_SECRET: SECRET });
  }, 300_000);
  afterAll(async () => {
    for (const code of await running.stop()) expect(code).toBe(0);
    await dropDatabase();
  });

  test(`gives the last seat of a team to exactly one of 200 players: one 200, 199 times team_full, ${20 * share} rounds`, async () => {
    for (let round = 0; round < 20 * share; round += 1) {
      const session = await createSession([2, 1]);
      await join(round, session, randomUUID());
      const answers = await race(200, session, randomUUID);
      expect(tally(answers)).toEqual({ 200: 1, team_full: 199 });
      const refusals = answers.filter(({ outcome }) => outcome === 'team_full');
      expect(refusals.every(({ retryAfter }) => /^[1-9]\d*$/.test(retryAfter ?? ''))).toBe(true);
    }
  }, 300_000);

  test('seats 100 players who race for 100 seats, each with 200', async () => {
    const session = await createSession([100]);
    const answers = await race(100, session, randomUUID);
    expect(tally(answers)).toEqual({ 200: 100 });
    expect(Math.max(...answers.map(({ seats }) => seats))).toBe(100);
  }, 300_000);

  test('gives one player who races 100 times one seat: 200 with one ETag, or rate_limited', async () => {
    const session = await createSession([4]);
    const player = randomUUID();
    const answers = await race(100, session, () => player);
    const { 200: joined = 0, rate_limited = 0 } = tally(answers);
    expect(joined + rate_limited).toBe(100);
    // A process accepts 8 requests in progress from one player.
    expect(joined).toBeGreaterThanOrEqual(8);
    const accepted = answers.filter(({ outcome }) => outcome === '200');
    expect(new Set(accepted.map(({ etag }) => etag)).size).toBe(1);
    expect(accepted.every(({ seats }) => seats === 1)).toBe(true);
    const refused = answers.filter(({ outcome }) => outcome === 'rate_limited');
    expect(refused.every(({ retryAfter }) => /^[1-9]\d*$/.test(retryAfter ?? ''))).toBe(true);
  }, 300_000);
});
