// The whole service in this process, on a free port and a database of its own: for tests of routes.
import type { Database } from '@muster/database';
import { classifyDatabaseError, openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { signToken } from '../src/auth/index.ts';
import type { Config } from '../src/config/index.ts';
import { getAccountsSecret, loadConfig } from '../src/config/index.ts';
import { createHttpServer } from '../src/http/index.ts';
import { createLogger } from '../src/observability/index.ts';
import { createService, listen, prepareStop } from '../src/start/index.ts';
import type { SignedInPerson, TestPerson } from './create-person.ts';
import { createPerson } from './create-person.ts';
import { noteEnvironment, openSuiteLog } from './suite-logs/suite-logs.ts';

const SECRET = 'the secret that only tests sign with';

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
  /** A person with this role who is signed in. */
  createPerson(person: TestPerson): Promise<SignedInPerson>;
  signToken(token?: TestToken): Promise<string>;
  /** Headers of a JSON request with a token. */
  headers(token?: TestToken): Promise<Record<string, string>>;
  close(): Promise<void>;
};

export type TestServiceOptions = {
  /** Environment variables of the service, such as HISTORY_ACCESS. */
  env?: Record<string, string>;
  /** Serves another database instead of one made for the occasion, as a second process would. */
  databaseUrl?: string;
};

/** Answers are checked against the contract, so a wrong one is a 500. What it logs is searched for secrets after the run. */
export const startTestService = async (options: TestServiceOptions = {}): Promise<TestService> => {
  const config = loadConfig({ AUTH_JWT_SECRET: SECRET, LOG_LEVEL: 'error', ...options.env });
  const own = options.databaseUrl ? null : await createTestDatabase();
  const databaseUrl = options.databaseUrl ?? own?.url ?? '';
  const database = openDatabase({ url: databaseUrl });
  noteEnvironment({ AUTH_JWT_SECRET: SECRET, ...options.env, DATABASE_URL: databaseUrl });
  const service = createTestedService(config, await getAccountsSecret(config), database);
  const server = createHttpServer(service.app, service.serverOptions);
  const stop = prepareStop(server, 0);
  const port = await listen(server, '127.0.0.1', 0);
  service.readiness.markReady();
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
    close: async () => {
      await stop();
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

const createTestedService = (config: Config, accountsSecret: string, database: Database) => {
  const { keys } = config.auth;
  if (keys.kind === 'local') throw new Error('A test service needs a key: AUTH_JWT_SECRET.');
  return createService({
    config,
    keys,
    accountsSecret,
    database,
    logger: createSuiteLogger(config.logLevel),
    isOutage: (error) => ['unavailable', 'timeout'].includes(classifyDatabaseError(error)),
    processMetrics: false,
    responseValidation: true,
  });
};

const signTestToken = ({ ttlSeconds = 3_600, ...claims }: TestToken = {}): Promise<string> =>
  signToken(
    { sub: 'tester', permissions: ['*'], ...claims },
    { secret: SECRET, ttlSeconds, permissionsClaim: 'permissions' },
  );
