// memory: a fresh process, idle and then under joins without a pause.

import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readResidentBytes } from '../machine.ts';
import { standaloneProgram, startServerProcess } from '../start-server.ts';
import type { BenchContext } from './bench-context.ts';
import type { JoinBlock } from './join-blocks.ts';
import { prepareJoins } from './join-blocks.ts';
import type { JoinVariant } from './measure-joins.ts';
import { checkAll200, checkAllSent, measureLoad } from './measure-load.ts';

/** Idle time before the memory is measured, so that garbage from the start has been collected. */
const IDLE_MS = 3_000;

/** Each half ends by its joins: a bound for what hangs. */
const MAX_SECONDS = 600;

export const measureMemory = async (
  context: BenchContext,
  variant: JoinVariant,
  block: JoinBlock,
): Promise<void> => {
  const { results, plan } = context;
  const where = { benchmark: 'memory', variant: variant.name };
  const read = async (field?: 'VmHWM') => {
    const bytes = await readResidentBytes(variant.server.pid, field);
    return bytes && bytes / 1e6;
  };
  await prepareJoins(context, block);
  await delay(IDLE_MS);
  results.add(where, 'idle', 'MB', await read());

  const half = Math.floor(plan.memoryJoins / 2);
  for (const [at, metric] of ['half-way', 'after the joins'].entries()) {
    context.checkTime();
    const measured = await measureLoad(context, variant.server, {
      maxSeconds: MAX_SECONDS,
      firstRequest: at * half,
      maxRequests: half,
    });
    checkAllSent(context, where, measured, half);
    checkAll200(context, where, measured);
    results.add(where, metric, 'MB', await read());
  }
  results.add(where, 'highest under load', 'MB', await read('VmHWM'));
};

// startup: the service with the PostgreSQL that it brings along, on the data of an earlier start.

export const measureStartup = async (context: BenchContext): Promise<void> => {
  const { plan, results, say, scratch } = context;
  const where = { benchmark: 'startup', variant: 'muster' };
  const dataDir = join(scratch, 'startup');
  await mkdir(dataDir);
  // Root runs PostgreSQL as another user, who has to pass through.
  await chmod(dataDir, 0o711);
  const program = standaloneProgram(dataDir);
  say('Starting the service on an empty data folder, which makes the demo data …');
  const first = await startServerProcess(program);
  results.add(where, 'first start, with demo data', 'ms', first.readyMs);
  await first.stop();
  for (let start = 0; start < plan.starts; start += 1) {
    context.checkTime();
    const server = await startServerProcess(program);
    results.add(where, 'ready', 'ms', server.readyMs);
    await server.stop();
  }
};
