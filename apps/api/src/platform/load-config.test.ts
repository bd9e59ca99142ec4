import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { ConfigError } from './errors.ts';

const SECRET = 'a secret of at least thirty-two bytes';

const problemsOf = (variables: Record<string, string>): readonly string[] => {
  try {
    loadConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('loadConfig', () => {
  it('has a default for everything', () => {
    expect(loadConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      auth: { keys: { kind: 'local' }, permissionsClaims: ['permissions', 'scope'] },
      historyAccess: 'authenticated',
      logLevel: 'info',
      demoData: true,
      workers: 1,
    });
  });

  it('counts an empty value as unset', () => {
    const blank = { PORT: '', HOST: '', DATABASE_URL: '', AUTH_JWT_SECRET: '', METRICS_PORT: ' ' };
    expect(loadConfig(blank)).toEqual(loadConfig({}));
  });

  it('takes no receiver of traces that is no URL', () => {
    for (const value of ['collector:4318', 'collector', 'ftp://collector']) {
      expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: value })).toEqual([
        'OTEL_EXPORTER_OTLP_ENDPOINT must be a URL that starts with http:// or https://.',
      ]);
    }
  });

  it('sends metrics over OTLP only where it is chosen and there is a receiver', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    const chosen = { ...endpoint, OTEL_METRICS_EXPORTER: 'otlp' };
    expect(loadConfig(endpoint).otlpMetrics).toBeUndefined();
    expect(loadConfig({ OTEL_METRICS_EXPORTER: 'otlp' }).otlpMetrics).toBeUndefined();
    expect(loadConfig({ ...chosen, OTEL_SDK_DISABLED: 'true' }).otlpMetrics).toBeUndefined();
    expect(loadConfig(chosen).otlpMetrics).toEqual({ intervalMs: 60_000 });
  });

  it('knows the propagators of OpenTelemetry, and none', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    const propagatorsOf = (names: string) =>
      loadConfig({ ...endpoint, OTEL_PROPAGATORS: names }).tracing?.propagators;
    expect(loadConfig(endpoint).tracing?.propagators).toEqual(['tracecontext', 'baggage']);
    expect(propagatorsOf('b3, b3multi')).toEqual(['b3', 'b3multi']);
    expect(propagatorsOf('none')).toEqual([]);
    expect(problemsOf({ OTEL_PROPAGATORS: 'xray' })).toEqual([
      'OTEL_PROPAGATORS must be a list of tracecontext, baggage, b3, b3multi, or none.',
    ]);
  });

  it('logs a part of the successful requests', () => {
    expect(loadConfig({}).logSuccessSample).toBe(1);
    expect(loadConfig({ LOG_SUCCESS_SAMPLE: '0.1' }).logSuccessSample).toBe(0.1);
    for (const value of ['1.5', '-1', '10%']) {
      expect(problemsOf({ LOG_SUCCESS_SAMPLE: value })).toHaveLength(1);
    }
  });

  it('keeps events for 90 days, metrics for 7 days, audit records for a year, refused joins and ended sessions for 30 days, and 0 for ever', () => {
    expect(loadConfig({}).retention).toEqual({
      eventDays: 90,
      refusedJoinDays: 30,
      metricDays: 7,
      auditDays: 365,
      endedSessionDays: 30,
    });
    const forEver = {
      EVENT_RETENTION_DAYS: '0',
      REFUSED_JOIN_RETENTION_DAYS: '0',
      METRIC_RETENTION_DAYS: '0',
      AUDIT_RETENTION_DAYS: '0',
      ENDED_SESSION_RETENTION_DAYS: '0',
    };
    expect(loadConfig(forEver).retention).toEqual({});
    expect(loadConfig({ EVENT_RETENTION_DAYS: '7' }).retention.eventDays).toBe(7);
    expect(problemsOf({ AUDIT_RETENTION_DAYS: '-1' })).toHaveLength(1);
  });

  it('makes the data folder absolute', () => {
    expect(loadConfig({ DATA_DIR: 'elsewhere' }).dataDir).toBe(`${process.cwd()}/elsewhere`);
  });

  it('lists every bad variable in one go, each by name', () => {
    const problems = problemsOf({
      PORT: '70000',
      LOG_LEVEL: 'loud',
      DEMO_DATA: 'yes',
      HISTORY_ACCESS: 'open',
      AUTH_JWT_SECRET: 'short',
      METRICS_PORT: 'x',
      DATABASE_URL: 'mysql://user:hunter2@db/x',
    });
    const names = problems.map((problem) => problem.split(' ')[0]).sort();
    expect(names).toEqual([
      'AUTH_JWT_SECRET',
      'DATABASE_URL',
      'DEMO_DATA',
      'HISTORY_ACCESS',
      'LOG_LEVEL',
      'METRICS_PORT',
      'PORT',
    ]);
    expect(problems.join()).not.toMatch(/hunter2|short/);
  });

  it.each(['-1', '65536', '3000x', '1e3', '0x10', '3.5'])('refuses the port %s', (PORT) => {
    expect(problemsOf({ PORT })).toEqual(['PORT must be a port number from 0 to 65535.']);
  });

  it.each([
    ['#', '%23'],
    ['/', '%2F'],
    ['?', '%3F'],
    ['%', '%25'],
  ])('names a %s in the password of a database and never the password', (sign, escaped) => {
    // With digits before the sign, the URL is valid and names another host and port.
    for (const password of [`hunter${sign}zwei`, `12${sign}zwei`]) {
      const DATABASE_URL = `postgres://muster:${password}@db.example:5432/muster?sslmode=require`;
      const problems = problemsOf({ DATABASE_URL });
      expect(problems).toEqual([expect.stringContaining(`Write it as ${escaped} in the password`)]);
      expect(problems.join()).not.toMatch(/hunter|zwei|12/);
    }
  });

  it.each([
    'postgres://muster:a%23b%2Fc@db.example/muster',
    'postgres://muster:a@b@db.example/muster',
    'postgresql://db.example/muster?user=a@b&password=x',
    'postgres://muster@db.example:5432/muster?application_name=a%40b',
    'postgres:///muster?host=/var/run/postgresql',
  ])('accepts the database %s', (DATABASE_URL) => {
    expect(problemsOf({ DATABASE_URL })).toEqual([]);
  });

  it('needs the primary of a replica', () => {
    const DATABASE_REPLICA_URL = 'postgres://replica/x';
    expect(problemsOf({ DATABASE_REPLICA_URL })).toEqual([
      'DATABASE_REPLICA_URL needs DATABASE_URL, the database that it is a replica of.',
    ]);
    expect(problemsOf({ DATABASE_REPLICA_URL, DATABASE_URL: 'postgres://primary/x' })).toEqual([]);
  });

  it('requires the number of proxies in front of a public origin, also when there are none', () => {
    const PUBLIC_URL = 'https://muster.example';
    expect(problemsOf({ PUBLIC_URL })).toEqual([
      'PUBLIC_URL needs TRUST_PROXY: the number of proxies in front of the service, or their addresses; 0 for none.',
    ]);
    expect(loadConfig({ PUBLIC_URL, TRUST_PROXY: '0' }).accounts.trustProxy).toBe(0);
    expect(loadConfig({ PUBLIC_URL, TRUST_PROXY: '2' }).accounts.trustProxy).toBe(2);
    expect(loadConfig({ PUBLIC_URL, TRUST_PROXY: '10.0.0.0/8' }).accounts.trustProxy).toEqual([
      '10.0.0.0/8',
    ]);
    expect(problemsOf({ TRUST_PROXY: '10' })).toEqual([
      'TRUST_PROXY must be a number of proxies from 1 to 9, their addresses with commas, or 0 for none.',
    ]);
  });

  it.each(['0', '65', '-1', '2.5', 'all'])('refuses %s workers', (WORKERS) => {
    expect(problemsOf({ WORKERS })).toEqual([
      'WORKERS must be a number of processes from 1 to 64.',
    ]);
  });

  it('numbers its workers itself', () => {
    expect(problemsOf({ WORKER_INDEX: 'first' })).toEqual([
      'WORKER_INDEX must be left to the service, which numbers its workers.',
    ]);
  });

  it('takes port 0, so that the system chooses one', () => {
    expect(loadConfig({ PORT: '0' }).port).toBe(0);
  });

  it('refuses a shared secret and a JWKS together', () => {
    const problems = problemsOf({
      AUTH_JWT_SECRET: SECRET,
      AUTH_JWKS_URL: 'https://id.example/jwks',
      AUTH_ISSUER: 'i',
      AUTH_AUDIENCE: 'a',
    });
    expect(problems).toEqual(['AUTH_JWT_SECRET and AUTH_JWKS_URL are both set: keep one of them.']);
  });

  it('needs issuer and audience with a JWKS', () => {
    expect(problemsOf({ AUTH_JWKS_URL: 'https://id.example/jwks' })).toEqual([
      'AUTH_ISSUER is required with AUTH_JWKS_URL.',
      'AUTH_AUDIENCE is required with AUTH_JWKS_URL.',
    ]);
  });

  it.each([
    ['https://id.example/jwks', 0],
    ['http://127.0.0.1:9/jwks', 0],
    ['http://[::1]:9/jwks', 0],
    ['http://localhost/jwks', 0],
    ['http://id.example/jwks', 1],
    ['file:///etc/jwks', 1],
  ])('judges the key address %s', (AUTH_JWKS_URL, count) => {
    const problems = problemsOf({ AUTH_JWKS_URL, AUTH_ISSUER: 'i', AUTH_AUDIENCE: 'a' });
    expect(problems).toHaveLength(count);
  });

  it('counts the bytes of a secret, not its characters', () => {
    expect(problemsOf({ AUTH_JWT_SECRET: 'é'.repeat(16) })).toEqual([]);
    expect(problemsOf({ AUTH_JWT_SECRET: 'e'.repeat(31) })).toHaveLength(1);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'game.example', '127.0.0.1.example', '::ffff:10.0.0.1'])(
    'refuses to listen on %s without configured credentials',
    (HOST) => {
      expect(problemsOf({ HOST })[0]).toMatch(/^HOST .* AUTH_JWT_SECRET or AUTH_JWKS_URL/);
      expect(problemsOf({ HOST, AUTH_JWT_SECRET: SECRET })).toEqual([]);
    },
  );

  it.each(['127.0.0.1', '127.8.9.1', '::1', '[::1]', 'localhost', '::ffff:127.0.0.1'])(
    'listens on %s without configured credentials',
    (HOST) => {
      expect(problemsOf({ HOST })).toEqual([]);
    },
  );

  it('refuses metrics on the port of the service', () => {
    expect(problemsOf({ PORT: '4000', METRICS_PORT: '4000' })).toHaveLength(1);
  });

  it('limits players, connections, memory and time by default, and services not', () => {
    expect(loadConfig({}).limits).toEqual({
      maxConnections: 10_000,
      maxWaitingWatches: 10_000,
      bufferBytes: 192 * 1_048_576,
      maxSessionBytes: 256 * 1_024,
      requestTimeoutMs: 15_000,
      transferTimeoutMs: 60_000,
      playerRateLimit: { perSecond: 10, burst: 60 },
    });
  });

  it('reads the limits from their settings', () => {
    const { limits } = loadConfig({
      BUFFER_MEMORY_MB: '64',
      REQUEST_TIMEOUT_SECONDS: '5',
      TRANSFER_TIMEOUT_SECONDS: '30',
      PLAYER_RATE_LIMIT_PER_SECOND: '20',
      RATE_LIMIT_PER_SECOND: '50',
    });
    expect(limits).toMatchObject({
      bufferBytes: 64 * 1_048_576,
      requestTimeoutMs: 5_000,
      transferTimeoutMs: 30_000,
      playerRateLimit: { perSecond: 20, burst: 120 },
      rateLimit: { perSecond: 50, burst: 100 },
    });
  });

  it('reads the bursts from their settings', () => {
    const { limits } = loadConfig({
      PLAYER_RATE_LIMIT_PER_SECOND: '2',
      PLAYER_RATE_LIMIT_BURST: '5',
      RATE_LIMIT_PER_SECOND: '50',
      RATE_LIMIT_BURST: '500',
    });
    expect(limits).toMatchObject({
      playerRateLimit: { perSecond: 2, burst: 5 },
      rateLimit: { perSecond: 50, burst: 500 },
    });
  });

  it('requires RATE_LIMIT_PER_SECOND with RATE_LIMIT_BURST', () => {
    expect(problemsOf({ RATE_LIMIT_BURST: '5' })).toEqual([
      'RATE_LIMIT_BURST needs RATE_LIMIT_PER_SECOND.',
    ]);
  });

  it('has no rate limit for players with PLAYER_RATE_LIMIT_PER_SECOND 0', () => {
    const { limits } = loadConfig({ PLAYER_RATE_LIMIT_PER_SECOND: '0' });
    expect(limits.playerRateLimit).toBeUndefined();
  });

  it.each([
    ['BUFFER_MEMORY_MB', '31', 'from 32 to 65536'],
    ['REQUEST_TIMEOUT_SECONDS', '0', 'from 1 to 600'],
    ['TRANSFER_TIMEOUT_SECONDS', '601', 'from 1 to 600'],
    ['PLAYER_RATE_LIMIT_PER_SECOND', '-1', 'from 0 to 100000'],
    ['PLAYER_RATE_LIMIT_BURST', '0', 'from 1 to 1000000'],
  ])('refuses %s %s', (name, value, range) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name} must be a whole number ${range}.`]);
  });

  it.each([
    ['AUTH_SCOPE_CLAIM', /AUTH_PERMISSIONS_CLAIM/],
    ['MAX_CONCURRENT_REQUESTS', /remove it/],
    ['OIDC_NAME', /OIDC_ISSUER/],
    ['MAX_WAITING_JOINS', /remove it/],
    ['MAX_UNREAD_ANSWER_MB', /BUFFER_MEMORY_MB/],
    ['MAX_BODY_MB', /BUFFER_MEMORY_MB/],
    ['HEADERS_TIMEOUT_SECONDS', /REQUEST_TIMEOUT_SECONDS/],
    ['BODY_TIMEOUT_SECONDS', /REQUEST_TIMEOUT_SECONDS/],
    ['ANSWER_TIMEOUT_SECONDS', /TRANSFER_TIMEOUT_SECONDS/],
  ])('refuses %s of earlier versions, and names what replaces it', (name, advice) => {
    const [problem, ...others] = problemsOf({ [name]: '5' });
    expect(problem).toContain(`${name} is no longer a setting.`);
    expect(problem).toMatch(advice);
    expect(others).toEqual([]);
    expect(problemsOf({ [name]: '' })).toEqual([]);
  });

  it('refuses all removed settings in one go', () => {
    expect(problemsOf({ MAX_BODY_MB: '5', MAX_WAITING_JOINS: '5' })).toHaveLength(2);
  });
});
