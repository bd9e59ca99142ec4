// lag: how long /healthz waits for its answer while the service works on the largest import, export, comparison and verification
// that it allows. Nothing may hold its event loop for long, or every join waits as long.
import { setTimeout as delay } from 'node:timers/promises';
import { callAdmin, signToken } from '../requests/identities.ts';
import { writeGet } from '../requests/join-requests.ts';
import type { LagWork } from '../results/targets.ts';
import type { ServerProcess } from '../start-server.ts';
import type { BenchContext } from './bench-context.ts';
import { withService } from './bench-context.ts';
import { checkAll200 } from './measure-load.ts';

const DATABASE = 'bench_lag';
const IDLE_MS = 1_000;
/** A request every 2.5 ms: one of them waits for nearly as long as the event loop is held, and all of them are little load. */
const PROBES_PER_SECOND = 400;
/** A bound for what hangs. */
const MAX_SECONDS = 600;

export const measureLag = async (context: BenchContext): Promise<void> => {
  const { plan, postgres, say } = context;
  const { rows, bytes, rounds } = plan.lag;
  await postgres.createFresh(DATABASE);
  await withService(context, DATABASE, async (server) => {
    const file = makeFile(rows, bytes);
    for (let round = 0; round < rounds; round += 1) {
      say(`lag, round ${round + 1} of ${rounds}: a file of ${rows} rows, ${file.length} bytes …`);
      await measureRound(context, server, file);
    }
  });
};

/** Makes NDJSON with this number of rows and, if rows can be long enough, this number of bytes. */
const makeFile = (rows: number, bytes: number): Buffer => {
  const text = 'x'.repeat(Math.max(1, Math.floor(bytes / rows) - 160));
  const lines = Array.from({ length: rows }, (_, index) => {
    const custom_data = { text: text.slice(0, 4_096), number: String(index) };
    return `${JSON.stringify({ name: `Item ${index}`, item_type: 'unit', custom_data })}\n`;
  });
  return Buffer.from(lines.join(''));
};

const measureRound = async (
  context: BenchContext,
  server: ServerProcess,
  file: Buffer,
): Promise<void> => {
  const create = async (name: string): Promise<string> => {
    type Sandbox = { sandbox_id: string };
    return (await callAdmin<Sandbox>(context, server, 'sandboxes.create', { name })).sandbox_id;
  };
  const [full, empty] = [await create('Full'), await create('Empty')];
  const ask = createAsker(context, server);
  await context.load.prepare({ kind: 'texts', texts: [writeGet('/healthz', '')] });
  const planned: { plan_digest: string; head_seq: number }[] = [];

  const works: Record<LagWork, () => Promise<unknown>> = {
    idle: () => delay(IDLE_MS),
    'import, dry run': async () => {
      const answer = await ask(`/admin/import/${full}/item`, file);
      planned.push(JSON.parse(answer.toString()));
    },
    'import, applied': () => {
      const [{ plan_digest, head_seq } = { plan_digest: '', head_seq: 0 }] = planned;
      const query = `mode=apply&plan_digest=${plan_digest}&expected_head_seq=${head_seq}`;
      return ask(`/admin/import/${full}/item?${query}`, file);
    },
    'export, NDJSON': () => ask(`/admin/export/${full}/item`),
    'export, CSV': () => ask(`/admin/export/${full}/item?view=versions&format=csv`),
    comparison: () => {
      const sandboxes = { sandbox_id: empty, source_sandbox_id: full };
      return ask(queryOf('compare.list', { ...sandboxes, kind: 'item', page_size: 200 }));
    },
    verification: () => verifyAll(ask, full),
  };
  for (const [variant, work] of Object.entries(works)) {
    context.checkTime();
    const probing = context.load.run({
      port: server.port,
      connections: context.plan.connections,
      ratePerSecond: PROBES_PER_SECOND,
      firstRequest: 0,
      maxRequests: Number.MAX_SAFE_INTEGER,
      maxSeconds: MAX_SECONDS,
    });
    const [measured] = await Promise.all([probing, work().finally(() => context.load.finish())]);
    const where = { benchmark: 'lag', variant };
    context.results.add(where, 'p99 of /healthz', 'ms', measured.p99Us / 1_000);
    context.results.add(where, 'slowest /healthz', 'ms', measured.maxUs / 1_000);
    checkAll200(context, where, measured);
  }
};

const queryOf = (procedure: string, input: object): string =>
  `/admin/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;

type Ask = (path: string, file?: Buffer) => Promise<Buffer>;

/** A file is posted; without one, the path is read to its end. */
const createAsker = ({ secret, expiresAt }: BenchContext, { port }: ServerProcess): Ask => {
  const token = signToken({ sub: 'operator', permissions: ['*'] }, secret, expiresAt);
  return async (path, file) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(file && { method: 'POST', body: new Uint8Array(file) }),
    });
    const answer = Buffer.from(await response.arrayBuffer());
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer.toString()}`);
    return answer;
  };
};

const verifyAll = async (ask: Ask, sandbox_id: string): Promise<void> => {
  for (let after_seq = 0, done = false; !done; ) {
    const answer = await ask(queryOf('verification.check', { sandbox_id, after_seq }));
    const { result } = JSON.parse(answer.toString());
    ({ checked_to_seq: after_seq, done } = result.data);
    if (result.data.broken) throw new Error(`The chain is broken: ${answer.toString()}`);
  }
};
