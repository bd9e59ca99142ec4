// startup: the service with the PostgreSQL that it brings along, on the data of an earlier start.
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { standaloneProgram } from '../variants/service-programs.ts';
import { startServerProcess } from '../variants/start-server-process.ts';
import type { BenchContext } from './bench-context.ts';

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
