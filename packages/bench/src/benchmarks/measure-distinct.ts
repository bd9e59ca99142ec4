// join/distinct and join/rejoin: players join many sessions, then the same players join again.

import type { BenchContext } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import { toJoinPlan } from './join-blocks.ts';
import type { JoinVariant } from './join-variants.ts';
import type { MeasuredLoad } from './measure-load.ts';
import { addLoad, checkAllSeated, countAnswers, measureLoad } from './measure-load.ts';

/** The block of Colyseus' requests: its rooms are the same in every round, since a seat more costs it nothing. */
const toRoomBlock = (block: JoinBlock, rooms: number): JoinBlock => ({
  ...block,
  sessions: { ...block.sessions, first: 0, count: rooms },
});

export const prepareFor = async (
  context: BenchContext,
  { requests: kind, rooms }: Pick<JoinVariant, 'requests' | 'rooms'>,
  block: JoinBlock,
): Promise<void> => {
  const own = rooms === undefined ? block : toRoomBlock(block, rooms);
  await context.load.prepare({ kind, joins: toJoinPlan(context, own) });
};

/** Joins for the length of a round and holds the seats that are stored against the answers. */
export const runJoins = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
  benchmark: string,
  maxSeconds = context.plan.roundSeconds,
): Promise<MeasuredLoad> => {
  const where = { benchmark, variant: variant.name };
  const before = await variant.countSeats?.(block.sessions);
  const measured = await measureLoad(context, variant.server, {
    connections: context.plan.connections,
    firstRequest: 0,
    maxRequests: block.players,
    maxSeconds,
  });
  addLoad(context, where, measured);
  checkAllSeated(context, where, measured);
  const after = await variant.countSeats?.(block.sessions);
  if (before && after) {
    const holds = after.seats - before.seats === countAnswers(measured, 200);
    context.results.check(where, 'seats that are kept equal answers 200', holds);
  }
  return measured;
};

export const runRejoins = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
  joined: number,
): Promise<void> => {
  const where = { benchmark: 'join/rejoin', variant: variant.name };
  const before = await variant.countSeats?.(block.sessions);
  const measured = await measureLoad(context, variant.server, {
    connections: context.plan.connections,
    firstRequest: 0,
    span: joined,
    maxRequests: Number.MAX_SAFE_INTEGER,
    maxSeconds: context.plan.roundSeconds * 0.6,
  });
  addLoad(context, where, measured);
  checkAllSeated(context, where, measured);
  const after = await variant.countSeats?.(block.sessions);
  if (before && after) {
    context.results.check(where, 'no seat came or went', before.seats === after.seats);
  }
};
