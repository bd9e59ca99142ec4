// watch: what callers cost that wait for changes of sessions, each of its own session on its own connection, and how soon they get one.
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '../load/connection.ts';
import { openConnection } from '../load/connection.ts';
import { readCpuSeconds, readResidentBytes } from '../machine.ts';
import { callAdmin, signToken } from '../requests/identities.ts';
import { writePost } from '../requests/join-requests.ts';
import { median } from '../results/statistics.ts';
import type { WatchVariant } from '../results/targets.ts';
import type { ServerProcess } from '../start-server.ts';
import type { BenchContext } from './bench-context.ts';
import { withService } from './bench-context.ts';

const DATABASE = 'bench_watch';
const TYPE = 'watched';
const SETTINGS = { MAX_CONNECTIONS: '50000', MAX_WAITING_WATCHES: '50000' };

/** Sessions in one call. */
const CREATED_TOGETHER = 100;
/** Requests until all of them wait: more would need a queue. */
const OPENED_TOGETHER = 50;
/** Between two changes: no divisor of the second, in which changes of other processes are found. */
const CHANGE_INTERVAL_MS = 97;

const RETRY_MS = 1_000;
/** With thousands of connections, a page of metrics costs milliseconds. */
const POLL_MS = 50;

type Caller = {
  connection: Connection;
  /** Sends the request again, with another ETag if there is one. */
  watch(etag?: string): void;
  /** Called once instead of watching again. */
  onReply?: (() => void) | undefined;
};

export const measureWatch = async (context: BenchContext): Promise<void> => {
  await context.postgres.createFresh(DATABASE);
  await withService(
    context,
    DATABASE,
    async (other) => {
      await createSessions(context, other);
      await withService(context, DATABASE, (server) => measure(context, server, other), {
        env: SETTINGS,
      });
    },
    { folder: `${DATABASE}_other` },
  );
};

const sessionIdOf = (number: number): string => `session-${number}`;

const createSessions = async (context: BenchContext, server: ServerProcess): Promise<void> => {
  const { callers } = context.plan.watch;
  context.say(`Making ${callers} sessions …`);
  for (let first = 0; first < callers; first += CREATED_TOGETHER) {
    const sessions = Array.from({ length: CREATED_TOGETHER }, (_, index) => ({
      type: TYPE,
      session_id: sessionIdOf(first + index),
      teams: [{ team_id: 0, max_size: 10 }],
    }));
    await callAdmin(context, server, 'sessions.createMany', { sessions });
  }
};

const measure = async (
  context: BenchContext,
  server: ServerProcess,
  other: ServerProcess,
): Promise<void> => {
  const { results, say } = context;
  const { callers: count, idleSeconds, waitSeconds } = context.plan.watch;
  const at = (variant: WatchVariant) => ({ benchmark: 'watch', variant });
  const counted = { replies: 0 };
  const addBusy = async (variant: WatchVariant, seconds: number) => {
    context.checkTime();
    counted.replies = 0;
    const before = await readCpuSeconds(server.pid);
    await delay(seconds * 1_000);
    const after = await readCpuSeconds(server.pid);
    if (before === null || after === null) return null;
    results.add(at(variant), 'service busy', '%', ((after - before) / seconds) * 100);
    return (after - before) / seconds;
  };

  // The work of the start has ended.
  await delay(idleSeconds * 1_000);
  await addBusy('no callers', idleSeconds);
  const memoryBefore = await readResidentBytes(server.pid);
  say(`Opening ${count} connections that wait …`);
  const callers = await startCallers(context, server, counted);
  try {
    const idle = await addBusy('waiting', idleSeconds);
    results.check(at('waiting'), 'no caller was answered', counted.replies === 0);
    const memory = await readResidentBytes(server.pid);
    if (memory !== null && memoryBefore !== null)
      results.add(at('waiting'), 'memory per caller', 'bytes', (memory - memoryBefore) / count);

    say('Changing sessions …');
    await addChanges(context, at('changed in the same process'), callers, server, 0);
    await addChanges(context, at('changed in another process'), callers, other, 1);

    say(`Counting renewals for ${waitSeconds} s …`);
    const busy = await addBusy('renewed every 55 s', waitSeconds);
    const { replies } = counted;
    results.check(at('renewed every 55 s'), 'every caller was answered', replies >= count * 0.9);
    if (busy !== null && idle !== null) {
      const each = ((busy - idle) * waitSeconds * 1e6) / replies;
      results.add(at('renewed every 55 s'), 'service CPU per renewal', 'µs', each);
    }
  } finally {
    for (const { connection } of callers) connection.close();
  }
};

const startCallers = async (
  context: BenchContext,
  server: ServerProcess,
  counted: { replies: number },
): Promise<Caller[]> => {
  const { callers: count, waitSeconds } = context.plan.watch;
  const token = signToken(
    { sub: 'watcher', permissions: ['session:view'] },
    context.secret,
    context.expiresAt,
  );
  const etags = new Map(
    (await context.postgres.run(DATABASE, SELECT_ETAGS)).map(({ session_id, etag }) => [
      session_id,
      etag,
    ]),
  );
  const callers: Caller[] = [];
  const start = async (number: number): Promise<void> => {
    const session_id = sessionIdOf(number);
    const write = (if_none_match: unknown): Buffer => {
      const input = { type: TYPE, session_id, if_none_match, wait_seconds: waitSeconds };
      return Buffer.from(writePost('/admin/trpc/sessions.watch', token, JSON.stringify(input)));
    };
    let request = write(etags.get(session_id));
    const connection = await openConnection(server.port, {
      onAnswer: ({ status }) => {
        // The service has just started, or the machine is busy.
        if (status === 503) return void setTimeout(caller.watch, RETRY_MS);
        if (status !== 200) throw new Error(`A watch was answered ${status}.`);
        const { onReply } = caller;
        if (onReply) return onReply();
        counted.replies += 1;
        caller.watch();
      },
      onFailure: (error) => {
        throw error;
      },
    });
    const caller: Caller = {
      connection,
      watch: (etag) => {
        if (etag !== undefined) request = write(etag);
        connection.send(request);
      },
    };
    callers[number] = caller;
    caller.watch();
  };
  for (let first = 0; first < count; first += OPENED_TOGETHER) {
    await Promise.all(Array.from({ length: OPENED_TOGETHER }, (_, index) => start(first + index)));
    while ((await countWaiting(context, server)) < first + OPENED_TOGETHER) await delay(POLL_MS);
  }
  return callers;
};

const SELECT_ETAGS = `
  SELECT session_id, format('"%s-%s"', incarnation, version) AS etag FROM session`;

const countWaiting = async (
  { secret, expiresAt }: BenchContext,
  { port }: ServerProcess,
): Promise<number> => {
  const token = signToken({ sub: 'operator', permissions: ['*'] }, secret, expiresAt);
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return Number(/^muster_watches_waiting (\d+)$/m.exec(await response.text())?.[1]);
};

/** Times replies from the moment at which the request of the change is sent. `round` chooses the sessions. */
const addChanges = async (
  context: BenchContext,
  where: { benchmark: string; variant: WatchVariant },
  callers: readonly Caller[],
  server: ServerProcess,
  round: number,
): Promise<void> => {
  const { changes } = context.plan.watch;
  /** Null when a busy machine rejected the change. */
  const change = async (number: number, caller: Caller): Promise<number | null> => {
    const replied = new Promise<number>((resolve) => {
      caller.onReply = () => resolve(performance.now());
    });
    const name = { type: TYPE, session_id: sessionIdOf(number) };
    const startedAt = performance.now();
    const changed = await callAdmin<{ etag: string }>(context, server, 'sessions.update', {
      ...name,
      custom_data: { map: 'Glass Harbour' },
    }).catch(() => null);
    if (!changed) {
      caller.onReply = undefined;
      return null;
    }
    const latencyMs = (await replied) - startedAt;
    caller.onReply = undefined;
    caller.watch(changed.etag);
    return latencyMs;
  };
  const chosen = callers.slice(round * changes, (round + 1) * changes);
  const latencies = await Promise.all(
    chosen.map(async (caller, index) => {
      await delay(index * CHANGE_INTERVAL_MS);
      return change(round * changes + index, caller);
    }),
  );
  const sorted = latencies.filter((latency) => latency !== null).toSorted((a, b) => a - b);
  context.results.check(where, 'every change was accepted', sorted.length === changes);
  context.results.add(where, 'p50', 'ms', median(sorted));
  context.results.add(where, 'p99', 'ms', sorted[Math.ceil(sorted.length * 0.99) - 1] ?? null);
};
