import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchContext } from '../src/benchmarks/bench-context.ts';
import type { JoinBlocks, JoinVariant } from '../src/benchmarks/join-variants.ts';
import {
  createJoinTemplate,
  databaseOf,
  planBlocks,
  shareJoins,
  startCeiling,
  startStored,
} from '../src/benchmarks/join-variants.ts';
import { prepareFor, runJoins, runRejoins, runStorms } from '../src/benchmarks/measure-joins.ts';
import { measureAlone } from '../src/benchmarks/measure-latency.ts';
import { QUICK } from '../src/options.ts';
import { SESSION_KEYS } from '../src/postgres/join-data.ts';
import { closeContext, openContext } from './open-context.ts';

/** A run of these tests ends with its last request, however busy the machine is. */
const PATIENCE_SECONDS = 30;

let context: BenchContext;
let blocks: JoinBlocks;
let muster: JoinVariant;

beforeAll(async () => {
  const plan = {
    ...QUICK,
    rounds: 1,
    connections: 16,
    sessions: 20,
    joinsPerRound: 100,
    memoryJoins: 0,
    aloneSessions: 10,
    hot: { players: 60, seats: 10, storms: 2 },
  };
  context = await openContext(plan);
  blocks = planBlocks(plan);
  await createJoinTemplate(context, blocks);
  muster = await startStored(context, 'muster');
});

afterAll(async () => {
  try {
    await muster?.server.stop();
  } finally {
    if (context) await closeContext(context);
  }
});

const block = () => {
  const [distinct] = blocks.distinct;
  if (!distinct) throw new Error('The plan has no round.');
  return distinct;
};

test('joins of the real service are counted, timed and held against its seats', async () => {
  await prepareFor(context, muster, block());
  const measured = await runJoins(context, muster, block(), 'join/distinct', PATIENCE_SECONDS);
  expect(measured).toMatchObject({ requests: 100, statuses: { '200': 100 } });
  expect(measured.p50Us).toBeGreaterThan(0);
  await runRejoins(context, muster, block(), 100);
  expect(context.results.report.checks.filter(({ holds }) => !holds)).toEqual([]);
});

test('a seat that is missing from the database fails the check', async () => {
  await prepareFor(context, muster, block());
  const lying = { ...muster, countSeats: async () => ({ seats: 0, fullest: 0 }) };
  await runJoins(context, lying, block(), 'join/distinct', PATIENCE_SECONDS);
  const failed = context.results.report.checks.filter(({ holds }) => !holds);
  expect(failed.map(({ what }) => what)).toEqual(['seats that are kept equal answers 200']);
});

test('the first joins of Muster are in every database, as they were written', async () => {
  await prepareFor(context, muster, blocks.cold);
  await runJoins(context, muster, blocks.cold, 'join/cold', PATIENCE_SECONDS);
  await shareJoins(context, blocks.cold.sessions);
  const read = (name: 'muster' | 'unbatched' | 'pgbench') =>
    context.postgres.run(
      databaseOf(name),
      `SELECT session_id, s.version, to_json(p) AS seat, to_json(e) AS event
       FROM session s JOIN session_seat p USING (session_key) JOIN session_event e USING (session_key, player_uuid)
       ORDER BY session_id, p.player_uuid`,
    );
  const joined = await read('muster');
  expect(joined.length).toBeGreaterThanOrEqual(blocks.cold.sessions.count);
  expect(await read('unbatched')).toEqual(joined);
  expect(await read('pgbench')).toEqual(joined);
});

test('the peers that we wrote leave the rows that the service leaves', async () => {
  const [first] = blocks.first;
  if (!first) throw new Error('The plan has no round.');
  // Two players in each session: the leader and a second one. One join at a time, so that both are seated.
  const two = { ...first, players: 2 * first.sessions.count };
  const join = async (variant: JoinVariant) => {
    await prepareFor(context, variant, two);
    const { port } = variant.server;
    await context.load.run({
      port,
      connections: 1,
      firstRequest: 0,
      maxRequests: two.players,
      maxSeconds: PATIENCE_SECONDS,
    });
  };
  const { first: from, count } = two.sessions;
  const read = (name: 'muster' | 'idiomatic' | 'unbatched') =>
    context.postgres.run(
      databaseOf(name),
      `SELECT s.version, e.kind, e.session_version, e.account_id, e.detail::text, u.player_uuid,
         to_jsonb(p) - '{seated_at,joined_at}'::text[] AS seat
       FROM session s JOIN session_seat p USING (session_key) JOIN session_event e USING (session_key, player_uuid)
         JOIN player u USING (player_uuid)
       WHERE s.session_key IN (${SESSION_KEYS}) ORDER BY s.session_id, s.session_key, e.session_version, e.kind`,
      [from, from + count - 1],
    );
  await join(muster);
  const expected = await read('muster');
  expect(expected.filter(({ kind }) => kind === 'leader_changed')).toHaveLength(count);
  for (const name of ['idiomatic', 'unbatched'] as const) {
    const peer = await startStored(context, name);
    try {
      await join(peer);
    } finally {
      await peer.server.stop();
    }
    expect(await read(name)).toEqual(expected);
  }
});

test('one connection joins each session as often as another variant does', async () => {
  const other = { ...muster, name: 'other', countSeats: null };
  await measureAlone(context, [muster, other], blocks.alone);
  const { sessions } = blocks.alone;
  expect(await muster.countSeats?.(sessions)).toEqual({ seats: 2 * sessions.count, fullest: 2 });
});

test('a storm gives every seat once and refuses the rest with Retry-After', async () => {
  const [hot] = blocks.hot;
  if (!hot) throw new Error('The plan has no storm.');
  await runStorms(context, muster, hot, 2 * context.plan.hot.players);
  const checks = context.results.report.checks.filter(({ benchmark }) => benchmark === 'join/hot');
  expect(checks.map(({ holds }) => holds)).toEqual([true, true, true]);
});

test('the ceiling answers every join and takes no seat', async () => {
  const ceiling = await startCeiling(context, muster.server, blocks.ceiling, 3);
  try {
    await prepareFor(context, ceiling, block());
    const measured = await runJoins(context, ceiling, block(), 'join/distinct', PATIENCE_SECONDS);
    expect(measured.statuses).toEqual({ '200': 100 });
    const { teams } = JSON.parse(await readFile(join(context.scratch, 'session.json'), 'utf8'));
    expect(teams.flatMap(({ players }: { players: unknown[] }) => players)).toHaveLength(3);
  } finally {
    await ceiling.server.stop();
  }
});
