import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchContext } from '../src/benchmarks/bench-context.ts';
import type { JoinBlock, JoinBlocks } from '../src/benchmarks/join-blocks.ts';
import { planBlocks, prepareJoins } from '../src/benchmarks/join-blocks.ts';
import type { JoinVariant } from '../src/benchmarks/measure-joins.ts';
import {
  JOIN_DATABASE,
  runJoins,
  runRejoins,
  runStorms,
  startCeiling,
  startMuster,
} from '../src/benchmarks/measure-joins.ts';
import { QUICK } from '../src/options.ts';
import { createJoinDatabase } from '../src/postgres/join-data.ts';
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
    hot: { players: 60, seats: 10, storms: 2 },
  };
  context = await openContext(plan);
  blocks = planBlocks(plan);
  await createJoinDatabase(context.postgres, JOIN_DATABASE, blocks.data);
  muster = await startMuster(context);
});

afterAll(async () => {
  try {
    await muster?.server.stop();
  } finally {
    if (context) await closeContext(context);
  }
});

const firstOf = ([block]: readonly JoinBlock[]): JoinBlock => {
  if (!block) throw new Error('The plan has no round.');
  return block;
};

const block = () => firstOf(blocks.distinct);

const failedChecks = () =>
  context.results.report.checks.filter(({ holds }) => !holds).map(({ what }) => what);

test('joins of the real service are counted, timed and held against its seats', async () => {
  await prepareJoins(context, block());
  const measured = await runJoins(context, muster, block(), 'join/distinct', PATIENCE_SECONDS);
  expect(measured).toMatchObject({ requests: 100, statuses: { '200': 100 } });
  expect(measured.p50Us).toBeGreaterThan(0);
  await runRejoins(context, muster, block(), 100);
  expect(failedChecks()).toEqual([]);
});

test('players who are not registered join other sessions', async () => {
  const first = firstOf(blocks.first);
  await prepareJoins(context, first);
  const measured = await runJoins(context, muster, first, 'join/first', PATIENCE_SECONDS);
  expect(measured.statuses).toEqual({ '200': 100 });
  expect(failedChecks()).toEqual([]);
});

test('a storm gives every seat once and refuses the rest with Retry-After', async () => {
  await runStorms(context, muster, firstOf(blocks.hot));
  const checks = context.results.report.checks.filter(({ benchmark }) => benchmark === 'join/hot');
  expect(checks.map(({ holds }) => holds)).toEqual([true, true, true]);
});

test('the ceiling answers every join and takes no seat', async () => {
  const ceiling = await startCeiling(context, muster.server, blocks.ceiling, 3);
  try {
    await prepareJoins(context, block());
    const measured = await runJoins(context, ceiling, block(), 'join/distinct', PATIENCE_SECONDS);
    expect(measured.statuses).toEqual({ '200': 100 });
    const { teams } = JSON.parse(await readFile(join(context.scratch, 'session.json'), 'utf8'));
    expect(teams.flatMap(({ players }: { players: unknown[] }) => players)).toHaveLength(3);
  } finally {
    await ceiling.server.stop();
  }
});

test('a seat that is missing from the database fails the check', async () => {
  await prepareJoins(context, block());
  const lying = { ...muster, countSeats: async () => ({ seats: 0, fullest: 0 }) };
  const before = failedChecks();
  await runJoins(context, lying, block(), 'join/distinct', PATIENCE_SECONDS);
  expect(failedChecks()).toEqual([...before, 'seats that are kept equal answers 200']);
});
