// node scripts/run.mjs cluster [--workers N]: a Citus cluster on loopback and the service on it in three processes, until Ctrl-C
// stops both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CitusCluster } from '@muster/database/testing';
import { NoCitusError, startCitusCluster } from '@muster/database/testing';

const PROCESSES = '3';

const run = async (): Promise<number> => {
  const { values } = parseArgs({ options: { workers: { type: 'string', default: '2' } } });
  process.stdout.write(`Starting a coordinator and ${values.workers} workers …\n`);
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => (isStopping = true));
  const cluster = await startCitusCluster(Number(values.workers));
  process.stdout.write(`The coordinator is ${cluster.url}\n`);
  const code = isStopping ? 0 : await serve(cluster);
  await cluster.stop();
  return code;
};

/** Resolves with the exit code of the service. The terminal also sends Ctrl-C to it; SIGTERM is forwarded. */
const serve = async ({ url }: CitusCluster): Promise<number> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-cluster-'));
  const service = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts')], {
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, WORKERS: PROCESSES },
  });
  process.on('SIGTERM', () => service.kill('SIGTERM'));
  const [code] = (await once(service, 'exit')) as [number | null];
  await rm(dataDir, { recursive: true, force: true });
  return code ?? 1;
};

process.exitCode = await run().catch((error: unknown) => {
  if (!(error instanceof NoCitusError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 1;
});
