// Checks everything that a start depends on, in the order of a start, and explains how to fix each finding.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { Database } from '@muster/database';
import {
  adviseOnDatabaseError,
  checkWritable,
  describeDatabaseError,
  describeEmbeddedRelease,
  describeMissingSearchIndexes,
  examineFolder,
  findMissingSearchIndexes,
  findPooling,
  isReadOnly,
  listMissingMigrations,
  NEEDS_SESSION_POOLING,
  openDatabase,
} from '@muster/database';
import type { PortSetting } from '../http/index.ts';
import { describeListenError } from '../http/index.ts';
import type { Config } from '../platform/index.ts';
import {
  assertWorkersPossible,
  ConfigError,
  examineDataDir,
  findMisspeltSettings,
  isLoopbackHost,
  loadConfig,
  nameRuntime,
  readVersion,
} from '../platform/index.ts';
import { warnOfBuiltInPostgres } from './built-in-postgres.ts';
import { toBaseUrl } from './welcome.ts';

/** `fail`: the service would not start, or not work. `warn`: it would, with a problem. */
type Finding = { level: 'ok' | 'warn' | 'fail'; subject: string; text: string };

const ok = (subject: string, text: string): Finding => ({ level: 'ok', subject, text });
const warn = (subject: string, text: string): Finding => ({ level: 'warn', subject, text });
const fail = (subject: string, text: string): Finding => ({ level: 'fail', subject, text });

/** Prints one line per finding, or one JSON object, and sets the exit code 1 when a finding prevents the service from working. */
export const runDoctor = async ({ json = false }: { json?: boolean }): Promise<void> => {
  const findings = await examine();
  const report = toReport(findings);
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : toLines(findings));
  if (report.status === 'error') process.exitCode = 1;
};

const toLines = (findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  return findings
    .map(({ level, subject, text }) => `${level.padEnd(4)}  ${subject.padEnd(width)}  ${text}\n`)
    .join('');
};

const STATUSES = { ok: 'ok', warn: 'warning', fail: 'error' } as const;

type Status = (typeof STATUSES)[Finding['level']];

/** For programs. `status` is the worst one of the checks. */
type DoctorReport = {
  status: Status;
  checks: { name: string; status: Status; message: string }[];
};

const toReport = (findings: readonly Finding[]): DoctorReport => {
  const checks = findings.map(({ level, subject, text }) => ({
    name: subject,
    status: STATUSES[level],
    message: text,
  }));
  const worst = (['error', 'warning'] as const).find((status) =>
    checks.some((check) => check.status === status),
  );
  return { status: worst ?? 'ok', checks };
};

/** The checks of `muster doctor`, with the settings of this process. */
export const examineForReport = async (): Promise<DoctorReport> => toReport(await examine());

const examine = async (): Promise<Finding[]> => {
  const program = `Muster ${readVersion()} on ${nameRuntime()}, ${process.platform}-${process.arch}.`;
  const findings: Finding[] = [ok('program', program)];
  const add = (...found: Finding[]) => void findings.push(...found);
  add(...findMisspeltSettings(process.env).map((sentence) => warn('settings', sentence)));
  try {
    const config = loadConfig(process.env);
    if (config.workers > 1) assertWorkersPossible();
    add(ok('settings', 'every variable has a valid value.'));
    add(...checkProxy(config), ...(await checkDatabase(config)));
    add(await checkDataFolder(config), ...(await checkPorts(config)));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    add(...error.problems.map((problem) => fail('settings', problem)));
  }
  return findings;
};

const checkProxy = ({ accounts, host }: Config): Finding[] => {
  const { publicUrl, trustProxy } = accounts;
  if (!publicUrl) {
    const problem = `PUBLIC_URL is not set while other machines can reach ${host}: set the origin that browsers show, since links and cookies depend on it.`;
    return isLoopbackHost(host) ? [] : [warn('proxy', problem)];
  }
  const proxies = typeof trustProxy === 'object' ? trustProxy.join(', ') : `${trustProxy} proxies`;
  const place = trustProxy
    ? `taken from X-Forwarded-For of ${proxies}`
    : 'the address of its connection';
  return [ok('proxy', `${publicUrl.origin}; the address of a client is ${place}.`)];
};

// The database: the built-in one, or the one of DATABASE_URL.

const checkDatabase = async (config: Config): Promise<Finding[]> => {
  const { databaseUrl, replicaUrl } = config;
  if (!databaseUrl) return checkOwnPostgres(config);
  const found = await askDatabase('database', databaseUrl, checkPrimary);
  if (!replicaUrl) return found;
  return [...found, ...(await askDatabase('replica', replicaUrl, checkReplica))];
};

const checkOwnPostgres = async (config: Config): Promise<Finding[]> => {
  try {
    await examineFolder(config.dataDir);
  } catch (error) {
    return [fail('database', `DATABASE_URL is not set, and ${(error as Error).message}`)];
  }
  const problem = warnOfBuiltInPostgres(config);
  return [
    ok('database', `DATABASE_URL is not set: the built-in ${describeEmbeddedRelease()}.`),
    ...(problem ? [warn('database', problem)] : []),
  ];
};

type Check = (pool: Database['pool'], url: string) => Promise<Finding[]>;

const askDatabase = async (
  subject: 'database' | 'replica',
  url: string,
  check: Check,
): Promise<Finding[]> => {
  const database = openDatabase({ url, maxConnections: 1, applicationName: 'muster-doctor' });
  try {
    const pooling = await findPooling(database.pool, url);
    if (pooling === 'transaction') {
      return [fail('pooling', `The ${subject} cannot be used: ${NEEDS_SESSION_POOLING}.`)];
    }
    const pooler =
      pooling === 'none' ? 'no connection pooler' : 'a connection pooler in session mode';
    return [
      ok('pooling', `${pooler} is in front of the ${subject}.`),
      ...(await check(database.pool, url)),
    ];
  } catch (error) {
    const what = `${new URL(url).host} cannot be used: ${describeDatabaseError(error)}`;
    const advice =
      adviseOnDatabaseError(error) || 'Check the address, the password and the firewall.';
    return [fail(subject, `${what}. ${advice}`)];
  } finally {
    await database.close();
  }
};

type ServerFacts = {
  version: number;
  name: string;
  can_create: boolean;
  /** Tables in which this user may not read or write every row. */
  closed_tables: string[];
  /** Extensions for searches that are neither there nor can be made by this user. */
  closed_extensions: string[];
  in_recovery: boolean;
  max_connections: number;
  used: number;
  now_ms: number;
};

const SERVER_FACTS = `
  SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
    has_schema_privilege(current_schema(), 'CREATE') AS can_create,
    ARRAY(SELECT c.relname::text FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT has_table_privilege(c.oid, needed) GROUP BY c.relname ORDER BY 1) AS closed_tables,
    ARRAY(SELECT needed.name FROM unnest(ARRAY['pg_trgm', 'btree_gin']) AS needed (name)
      WHERE needed.name NOT IN (SELECT extname FROM pg_extension)
        AND NOT (has_database_privilege(current_database(), 'CREATE') AND needed.name IN (SELECT a.name FROM pg_available_extensions a))
    ) AS closed_extensions,
    pg_is_in_recovery() AS in_recovery, current_setting('max_connections')::int AS max_connections,
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms`;

const OLDEST_SERVER = 150_000;
/** Connections of one process of the service: two pools of ten, and one that checks whether the database responds. */
const CONNECTIONS_PER_PROCESS = 21;
const CLOCK_DIFFERENCE_MS = 5_000;

const readFacts = async (
  pool: Database['pool'],
): Promise<{ facts: ServerFacts; skewMs: number }> => {
  const before = Date.now();
  const { rows } = await pool.query<ServerFacts>(SERVER_FACTS);
  const [facts] = rows;
  if (!facts) throw new Error('the server does not describe its database');
  return { facts, skewMs: facts.now_ms - (before + Date.now()) / 2 };
};

const checkPrimary: Check = async (pool, url) => {
  const { facts, skewMs } = await readFacts(pool);
  // Missing rights are listed for all tables.
  const refusal = await checkWritable(pool).catch((error: unknown) => error);
  const missing = await listMissingMigrations(url).catch((error: Error) => error);
  const isComplete = !(missing instanceof Error) && missing.length === 0;
  const missingIndexes = await findMissingSearchIndexes(pool);
  const free = facts.max_connections - facts.used;
  const findings = [
    facts.version < OLDEST_SERVER
      ? fail('database', `PostgreSQL ${facts.name} is too old: 15 or newer is needed.`)
      : ok('database', `PostgreSQL ${facts.name} answers.`),
    isReadOnly(refusal) &&
      fail('database', `Nothing can be written: ${describeDatabaseError(refusal)}.`),
    !facts.can_create &&
      !isComplete &&
      fail(
        'rights',
        'This user cannot create tables: GRANT CREATE ON SCHEMA public, or run `muster migrate` as a user who can.',
      ),
    facts.closed_tables.length > 0 &&
      fail(
        'rights',
        `This user may not read and write ${facts.closed_tables.join(', ')}: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public.`,
      ),
    facts.closed_extensions.length > 0 &&
      !isComplete &&
      warn(
        'search',
        `The database has no extension ${facts.closed_extensions.join(', ')}, and this user cannot create it: searches by name will read whole tables. Before the first start, install postgresql-contrib on the server, and GRANT CREATE ON DATABASE to this user or create the extension as another.`,
      ),
    missingIndexes.length > 0 && warn('search', describeMissingSearchIndexes(missingIndexes)),
    free < CONNECTIONS_PER_PROCESS &&
      warn(
        'database',
        `${free} of ${facts.max_connections} connections are free, and one process takes up to ${CONNECTIONS_PER_PROCESS}: raise max_connections.`,
      ),
    missing instanceof Error
      ? fail('tables', missing.message)
      : ok('tables', isComplete ? 'up to date.' : `the start will apply ${missing.join(', ')}.`),
    Math.abs(skewMs) > CLOCK_DIFFERENCE_MS
      ? warn(
          'clock',
          `It differs by ${Math.round(skewMs / 1000)} s from the database's: let both follow a time server, since tokens and times depend on it.`,
        )
      : ok('clock', 'the same as the database has.'),
  ];
  return findings.filter((finding) => finding !== false);
};

const checkReplica: Check = async (pool) => {
  const { facts } = await readFacts(pool);
  return [
    facts.in_recovery
      ? ok('replica', `PostgreSQL ${facts.name} follows a primary.`)
      : warn(
          'replica',
          'DATABASE_REPLICA_URL names a server that follows none: histories would miss what the primary has.',
        ),
  ];
};

// This machine.

const LEAST_FREE_BYTES = 1e9;

const ONLY_SOMETIMES =
  'A start fails when it has to store the one-time password of the first owner or a sample token there.';

const checkDataFolder = async (config: Config): Promise<Finding> => {
  try {
    const { folder, freeBytes, problem } = await examineDataDir(config);
    if (problem) return warn('disk', `${problem} ${ONLY_SOMETIMES}`);
    const free = `${(freeBytes / 1e9).toFixed(1)} GB free at ${folder}`;
    return !config.databaseUrl && freeBytes < LEAST_FREE_BYTES
      ? warn('disk', `${free}: the database is stored there, and stops when the disk is full.`)
      : ok('disk', `${free}.`);
  } catch (error) {
    return fail('disk', (error as Error).message);
  }
};

/** The response of Muster on its ports, which other programs hardly send. */
const PROBES: Record<PortSetting, { path: string; answer: string }> = {
  PORT: { path: '/healthz', answer: '{"status":"ok"}' },
  METRICS_PORT: { path: '/metrics', answer: 'muster_' },
};

const checkPorts = async ({ host, port, metricsPort }: Config): Promise<Finding[]> => [
  await checkPort(host, 'PORT', port),
  ...(metricsPort === undefined ? [] : [await checkPort(host, 'METRICS_PORT', metricsPort)]),
];

/** While the service runs, as in its container, the service itself uses the port. */
const checkPort = async (host: string, name: PortSetting, port: number): Promise<Finding> => {
  const place = `${host}:${port}`;
  const error = await tryToListen(host, port);
  if (!error) return ok('ports', `${place} is free.`);
  if (error.code === 'EADDRINUSE' && (await isMuster(toBaseUrl(host, port), PROBES[name]))) {
    return ok('ports', `${place} is taken by Muster, which is running.`);
  }
  return fail('ports', describeListenError(error, host, port, name));
};

const tryToListen = (host: string, port: number): Promise<NodeJS.ErrnoException | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port }, () => server.close(() => resolve(null)));
  });

const PROBE_MS = 3_000;

/** Every answer of Muster repeats the id of the request. */
const isMuster = async (
  baseUrl: string,
  { path, answer }: (typeof PROBES)[PortSetting],
): Promise<boolean> => {
  const id = randomUUID();
  try {
    const response = await fetch(baseUrl + path, {
      headers: { 'X-Request-Id': id },
      signal: AbortSignal.timeout(PROBE_MS),
    });
    return response.headers.get('x-request-id') === id && (await response.text()).includes(answer);
  } catch {
    return false;
  }
};
