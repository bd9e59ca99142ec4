// Opens the pool that Prisma and our prepared statements share, and the one of the statements that find rows by key.

import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { checkWritable } from './check-writable.ts';
import type { SessionSettings } from './client.ts';
import { createPool } from './client.ts';
import { classifyDatabaseError, isReadOnly } from './database-error.ts';
import type { Shards } from './distribution/shards.ts';
import { UNDIVIDED } from './distribution/shards.ts';
import { PrismaClient } from './generated/client.ts';
import { makeRenewable } from './renewable-pool.ts';
import type { StatementObserver } from './run-prepared.ts';
import { observeStatements } from './run-prepared.ts';

/** A database on Citus is divided as `findShards` finds it; by default it is whole. */
export type OpenDatabaseOptions = Partial<Shards> & {
  url: string;
  /** Upper bound of each of the two pools; 10 by default. */
  maxConnections?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** After this time PostgreSQL itself cancels a statement; 5,000 by default. */
  statementTimeoutMs?: number;
  /** Called for each connection that died; the pool replaces it. */
  onConnectionError?: (error: Error) => void;
};

export type Database = Shards & {
  pool: pg.Pool;
  /**
   * For hot statements that find every row by its key. They are planned once per connection, for any number of keys, and no list
   * or export can take their connections. As large as `pool`; on Citus twice as large, since calls may hang on one node.
   */
  keyedPool: pg.Pool;
  prisma: PrismaClient;
  /**
   * Asks whether joins can be written, on a connection of its own. Rejects with `UnwritableError`, with the reason why no
   * connection can be opened, or when the answer takes more than a second.
   */
  ping(): Promise<void>;
  /** Calls `observer` for every later statement of both pools. */
  observeStatements(observer: StatementObserver): void;
  /** Calls `observer` after each failure, of a statement or a connection, that says that the database is unavailable. */
  observeOutages(observer: () => void): void;
  /**
   * Call it when an outage is over: the address may lead to another server, and a server that is frozen or unreachable never closes
   * its connections. Replaces all connections, once they are released. Statements of `keyedPool` that began before fail at once:
   * the requests that needed them have been answered.
   */
  renewConnections(): void;
  /** Waits for what is running and closes every connection. Safe to call twice. */
  close(): Promise<void>;
};

/** Connects on first use: an unreachable database shows in the first query, after at most two seconds. */
export function openDatabase(options: OpenDatabaseOptions): Database {
  let closing: Promise<void> | undefined;
  // Connections that end because of the end are no news.
  const report = (error: Error) => {
    if (!closing) options.onConnectionError?.(error);
  };
  let onOutage = () => {};
  let wasReadOnly = false;
  const noteConnectFailure = (error: Error & { code?: string }) => {
    if (REFUSED_LOGIN.test(error.code ?? '')) renewablePing.renew();
    onOutage();
  };
  const noteFailure = (error: unknown) => {
    if (classifyDatabaseError(error) !== 'unavailable') return;
    // The server may have become a standby, with another primary under the same address.
    if (isReadOnly(error)) {
      wasReadOnly = true;
      limitedRenewal.run();
    }
    onOutage();
  };
  const open = (settings: SessionSettings, maxConnections: number, times = USUAL_TIMES) => {
    const pool = openPool({ ...options, maxConnections }, settings, times, noteConnectFailure);
    pool.on('connect', (client) => client.on('error', report));
    return pool;
  };
  const { shards, shardRanges } = { ...UNDIVIDED, ...options };
  const isDivided = shards > 1;
  const max = options.maxConnections ?? MAX_CONNECTIONS;
  const pool = open(isDivided ? CITUS_SETTINGS : IN_UTC, max);
  const keyedSettings = isDivided ? CITUS_SETTINGS : KEYED_POOL_SETTINGS;
  const keyedPool = open(keyedSettings, isDivided ? 2 * max : max);
  let observer: StatementObserver | undefined;
  const observe: StatementObserver = (statement) => {
    const end = observer?.(statement);
    return (error) => {
      end?.(error);
      if (error) noteFailure(error);
    };
  };
  for (const observed of [pool, keyedPool]) {
    observed.on('connect', (client) => observeStatements(client, observe));
  }
  const pingPool = open(IN_UTC, 1, { connectionTimeoutMillis: PING_MS, idleTimeoutMillis: 0 });
  const renewablePing = makeRenewable(pingPool);
  const renewablePool = makeRenewable(pool);
  const renewableKeyed = makeRenewable(keyedPool);
  const renewAll = () => {
    for (const { renew } of [renewablePing, renewablePool, renewableKeyed]) renew();
  };
  const limitedRenewal = limitRuns(renewAll, RENEWAL_MS);
  const adapter = new PrismaPg(pool, { statementNameGenerator: createStatementNamer() });
  const prisma = new PrismaClient({
    adapter,
    errorFormat: 'minimal',
    transactionOptions: TRANSACTION_LIMITS,
  });
  const close = async () => {
    limitedRenewal.stop();
    await prisma.$disconnect();
    await Promise.all([pool.end(), keyedPool.end(), pingPool.end()]);
  };
  let hasPingFailed = false;
  const ping = async () => {
    try {
      await checkWritable(pingPool, { timeoutMs: PING_MS });
    } catch (error) {
      hasPingFailed = true;
      noteFailure(error);
      throw error;
    }
    // Others may have been opened just before the address led to the new primary: they would read from the old one.
    if (wasReadOnly && hasPingFailed) renewAll();
    else if (wasReadOnly) limitedRenewal.run();
    wasReadOnly = false;
    hasPingFailed = false;
  };
  return {
    pool,
    keyedPool,
    prisma,
    ping,
    close: () => (closing ??= close()),
    shards,
    shardRanges,
    observeStatements: (given) => {
      observer = given;
    },
    observeOutages: (given) => {
      onOutage = given;
    },
    renewConnections: () => {
      renewablePool.renew();
      renewableKeyed.interrupt();
    },
  };
}

/**
 * Failures to connect that an open connection does not show: the server refuses logins, or this process has no file descriptor
 * left. Others are either temporary, such as a name that cannot be resolved, or end open connections as well.
 */
const REFUSED_LOGIN = /^(?:28...|3D...|42501|57P03|EMFILE|ENFILE)$/;

/** On Citus, every write to a node that is a standby fails, while the ping of the coordinator succeeds. */
const RENEWAL_MS = 1_000;

/** Runs `work` at once, and at most once in `intervalMs`: a call that comes earlier runs it at the end of the interval. */
function limitRuns(work: () => void, intervalMs: number): { run(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  const run = () => {
    isDue = timer !== undefined;
    if (isDue) return;
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) run();
    }, intervalMs).unref();
  };
  return { run, stop: () => clearTimeout(timer) };
}

/** For the connection, where there is none, and for the answer: a second together. */
const PING_MS = 500;
const CONNECT_MS = 2_000;

const MAX_CONNECTIONS = 10;

type PoolTimes = { connectionTimeoutMillis: number; idleTimeoutMillis: number };

/** The ping keeps its connection: opening another one takes long on a busy server, and may be refused on a full one. */
const USUAL_TIMES: PoolTimes = { connectionTimeoutMillis: CONNECT_MS, idleTimeoutMillis: 60_000 };

function openPool(
  options: OpenDatabaseOptions,
  settings: SessionSettings,
  times: PoolTimes,
  onConnectFailure: (error: Error) => void,
): pg.Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? 5_000;
  return createPool({
    onConnectFailure,
    connectionString: options.url,
    max: options.maxConnections,
    ...times,
    keepAlive: true,
    application_name: options.applicationName ?? 'muster',
    // A server that is frozen cannot apply its own timeout.
    query_timeout: statementTimeoutMs + 1_000,
    settings: {
      ...settings,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 30_000,
    },
  });
}

/**
 * In milliseconds. Far longer than statements may take, so that their own limit ends a transaction in trouble. Prisma's limit
 * only catches what hangs between statements: when it strikes in the middle of a nested write, the rest of that
 * write is sent outside the transaction that was rolled back.
 */
const TRANSACTION_LIMITS = { maxWait: 5_000, timeout: 20_000 };

/** Prisma's driver writes and reads timestamps without a zone, which is right in a session in UTC only. */
const IN_UTC: SessionSettings = { timezone: 'UTC' };

/**
 * Settings of the connections of `keyedPool`. PostgreSQL plans a prepared statement anew for each call as long as
 * the values let it hope for a better plan, and planning costs a multiple of what finding some rows by key does. The plan for
 * any values is kept instead, and a sequential scan, which looks good while a table is still small, is never part of it.
 */
const KEYED_POOL_SETTINGS: SessionSettings = {
  ...IN_UTC,
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
};

/** Citus chooses the shard by the values of a statement: a plan for any values would ask all of them. */
const CITUS_SETTINGS: SessionSettings = {
  ...IN_UTC,
  plan_cache_mode: 'force_custom_plan',
  jit: 'off',
};

/** A connection keeps its prepared statements until it ends, so the number of named texts has a limit. */
const MAX_NAMED_STATEMENTS = 500;

/**
 * Names a statement after its text. Texts past the limit (long lists make many) and texts without values, which may
 * hold several statements, get the empty name: they are not kept.
 */
export function createStatementNamer(): (query: { sql: string; args: unknown[] }) => string {
  const names = new Map<string, string>();
  return ({ sql, args }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (args.length === 0 || names.size >= MAX_NAMED_STATEMENTS) return '';
    const name = `prisma_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
    names.set(sql, name);
    return name;
  };
}
