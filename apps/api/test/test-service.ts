// The whole service in this process, on a free port and a new database: for tests of routes.
import { hashPassword } from '@better-auth/utils/password';
import type { Role } from '@muster/contract';
import type { Database, Shards } from '@muster/database';
import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { signToken } from '../src/auth/index.ts';
import { insertPerson } from '../src/auth/person-store.ts';
import type { ServiceOptions } from '../src/compose.ts';
import { createService } from '../src/compose.ts';
import { createHttpServer, LIMITS } from '../src/http/index.ts';
import type { Config } from '../src/platform/index.ts';
import { createLogger, getAccountsSecret, loadConfig } from '../src/platform/index.ts';
import { postAuth } from './auth-calls.ts';
import { checkAnswer } from './check-admin-answer.ts';
import { noteEnvironment, noteSecrets, openSuiteLog } from './suite-logs/suite-logs.ts';

/** For tests that sign their own claims. */
export const SECRET = 'the secret that only tests sign with';

export type TestToken = {
  /** The account; `tester` by default. */
  sub?: string;
  /** Everything by default. */
  permissions?: readonly string[];
  platform?: string;
  ttlSeconds?: number;
};

export type TestService = {
  /** Without a slash at its end. */
  baseUrl: string;
  database: Database;
  /** For a second service on the same database. */
  databaseUrl: string;
  readiness: ReturnType<typeof createService>['readiness'];
  /** As at the start of a stop: the service is no longer ready, and ends requests that wait. */
  prepareStop(): void;
  /** Applies and reverts the change sets that are due. Otherwise nothing does. */
  runSchedules(): Promise<void>;
  /** Sends deliveries to webhooks until the returned function is called. Without this call, none are sent. */
  startWebhooks(): () => Promise<void>;
  /** What the process has counted for the charts since the last call, by name. */
  takeActivity(): Record<string, number>[];
  /** A signed-in person with this role. */
  createPerson(person: TestPerson): Promise<SignedInPerson>;
  signToken(token?: TestToken): Promise<string>;
  /** Headers of a JSON request with a token. */
  headers(token?: TestToken): Promise<Record<string, string>>;
  close(): Promise<void>;
};

export type TestServiceOptions = {
  /** Environment variables of the service, such as HISTORY_ACCESS. */
  env?: Record<string, string>;
  /** False for rows that only SQL can write. */
  checksAdminAnswers?: boolean;
  /** Replaces limits of the settings. */
  limits?: Partial<Config['limits']>;
  /** Joins and histories in the process. */
  maxPublicRequests?: number;
  /** Serves another database instead of a new one, like a second process. */
  databaseUrl?: string;
  /** The shards of that database on Citus. */
  shards?: Shards;
};

/** Checks responses against the contract, so a wrong one is a 500. Its log is searched for secrets after the run. */
export const startTestService = async (options: TestServiceOptions = {}): Promise<TestService> => {
  const { limits, ...settings } = loadConfig({
    AUTH_JWT_SECRET: SECRET,
    LOG_LEVEL: 'error',
    ...options.env,
  });
  const config = { ...settings, limits: { ...limits, ...options.limits } };
  const own = options.databaseUrl ? null : await createTestDatabase();
  const databaseUrl = options.databaseUrl ?? own?.url ?? '';
  const database = openDatabase({
    url: databaseUrl,
    ...options.shards,
  });
  noteEnvironment({ AUTH_JWT_SECRET: SECRET, ...options.env, DATABASE_URL: databaseUrl });
  const { maxPublicRequests = LIMITS.publicRequests.value } = options;
  const accountsSecret = await getAccountsSecret(config);
  const { checksAdminAnswers = true } = options;
  const service = createTestedService({
    config,
    accountsSecret,
    database,
    maxPublicRequests,
    ...(checksAdminAnswers && { checkAdminAnswer: checkAnswer }),
  });
  const server = createHttpServer(service.app, { ...service.serverOptions, graceMs: 0 });
  const port = await server.listen('127.0.0.1', 0);
  service.readiness.markReady();
  const stopWatch = service.watch.start();
  await service.maintenance.prepare();
  const stopMaintenance = service.maintenance.start();
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    database,
    databaseUrl,
    createPerson: (person) => createPerson({ baseUrl, database }, person),
    readiness: service.readiness,
    signToken: signTestToken,
    headers: async (token) => ({
      authorization: `Bearer ${await signTestToken(token)}`,
      'content-type': 'application/json',
    }),
    prepareStop: service.prepareStop,
    takeActivity: () => service.metrics.activity.take().map(([, counts]) => counts),
    runSchedules: () => service.changeSetScheduler.runDue(),
    startWebhooks: () => service.webhookDispatcher.start(),
    close: async () => {
      service.prepareStop();
      await Promise.all([stopWatch(), stopMaintenance()]);
      await server.stop();
      await service.finish();
      await database.close();
      await own?.drop();
    },
  };
};

const createSuiteLogger = (level: string) => {
  const file = openSuiteLog();
  return file === undefined ? createLogger(level) : createLogger('trace', file);
};

type Tested = Pick<
  ServiceOptions,
  'accountsSecret' | 'checkAdminAnswer' | 'database' | 'maxPublicRequests'
> & {
  config: Config;
};

const createTestedService = (tested: Tested) => {
  const { config } = tested;
  const { keys } = config.auth;
  if (keys.kind === 'local') throw new Error('A test service needs a key: AUTH_JWT_SECRET.');
  return createService({
    ...tested,
    keys,
    logger: createSuiteLogger(config.logLevel),
    processMetrics: false,
    responseValidation: true,
  });
};

const signTestToken = ({ ttlSeconds = 3_600, ...claims }: TestToken = {}): Promise<string> =>
  signToken(
    { sub: 'tester', permissions: ['*'], ...claims },
    { secret: SECRET, ttlSeconds, permissionsClaims: ['permissions'] },
  );

// Makes people who can sign in: in browser tests with e-mail and password, elsewhere with the cookie.

type TestPerson = {
  role: Role;
  /** Absent: every sandbox. */
  sandboxIds?: string[];
  name?: string;
  /** As after a one-time password. */
  mustChangePassword?: boolean;
};

export type SignedInPerson = {
  accountId: string;
  email: string;
  password: string;
  /** The value of a Cookie header; changing requests also need an Origin. */
  cookie: string;
};

const PASSWORD = 'a password that only tests use';
let hash: Promise<string> | undefined;
let made = 0;

/** Inserts a person into the database and signs them in over HTTP. The password is the same for all. */
export const createPerson = async (
  { baseUrl, database }: { baseUrl: string; database: Pick<Database, 'prisma'> },
  { role, sandboxIds, name = `The ${role}`, mustChangePassword = false }: TestPerson,
): Promise<SignedInPerson> => {
  hash ??= hashPassword(PASSWORD);
  const accountId = uuidv7();
  made += 1;
  const email = `${role}-${made}@muster.example`;
  await insertPerson(database.prisma, {
    accountId,
    name,
    email,
    role,
    mustChangePassword,
    passwordHash: await hash,
    now: new Date(),
    ...(sandboxIds && { sandboxIds }),
  });
  const cookie = await signIn(baseUrl, email, PASSWORD);
  return { accountId, email, password: PASSWORD, cookie };
};

/** The cookies of a sign-in. Throws when it is refused. */
export const signIn = async (baseUrl: string, email: string, password: string): Promise<string> => {
  const response = await postAuth(baseUrl, '/sign-in/email', { email, password });
  if (!response.ok) throw new Error(`The sign-in was refused: ${await response.text()}`);
  const cookies = readCookies(response);
  noteSecrets(password, ...cookies.split('; ').map((cookie) => cookie.split('=')[1]));
  return cookies;
};

/** The cookies of a response, as a browser would send them back. */
export const readCookies = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
