// `muster support-bundle`: everything for a diagnosis in one file, and no secret.
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '@muster/database';
import { openDatabase, startEmbeddedPostgres } from '@muster/database';
import { createTestDatabase, findFreePort } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { ServiceProcess } from '../../test/service-process.ts';
import { startProgram, startServiceProcess } from '../../test/service-process.ts';
import { findSecrets } from '../../test/suite-logs/suite-logs.ts';
import { createPerson } from '../../test/test-service.ts';
import { Environment } from '../platform/environment.ts';
import { showSettings } from '../platform/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-bundle-'));
  // Root runs PostgreSQL as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true }));

const run = async (env: Record<string, string>, args: string[]) => {
  const program = await startProgram('bundle', env, args);
  return { code: await program.ended, output: program.stdout(), errors: program.stderr() };
};

/** A new value for each secret. */
const mark = (): string => `marker${randomBytes(16).toString('hex')}`;

const SECRETS = {
  AUTH_JWT_SECRET: mark(),
  AUTH_JWT_SECRET_PREVIOUS: mark(),
  ACCOUNTS_SECRET: mark(),
  OWNER_EMAIL: `${mark()}@muster.example`,
  OIDC_CLIENT_SECRET: mark(),
};
const [user, password, inQuery] = [mark(), mark(), mark()];
const withMarks = (url: string): string =>
  Object.assign(new URL(url), { username: user, password, search: `?application_name=${inQuery}` })
    .href;
/** Text that statements contain as constants. */
const [inStatement, inCommand] = [mark(), mark()];

describe('the bundle of a running service', () => {
  let server: EmbeddedPostgres;
  let service: ServiceProcess;
  let file: string;
  let text: string;
  const made: string[] = [];
  let result: Awaited<ReturnType<typeof run>>;
  let settings: Record<string, string>;

  beforeAll(async () => {
    const preload = { shared_preload_libraries: 'pg_stat_statements', fsync: 'off' };
    server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), settings: preload });
    const admin = openDatabase({ url: server.url });
    await admin.pool.query('CREATE EXTENSION pg_stat_statements');
    await admin.pool.query(`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${password}'`);
    await admin.close();
    const port = String(await findFreePort());
    settings = {
      ...SECRETS,
      DATABASE_URL: withMarks(server.url),
      DATABASE_REPLICA_URL: withMarks(server.url),
      AUTH_ISSUER: withMarks('https://id.example'),
      AUTH_AUDIENCE: 'muster',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRUST_PROXY: '0',
      OIDC_ISSUER: withMarks('https://id.example/oidc'),
      OIDC_CLIENT_ID: 'muster',
      OTEL_EXPORTER_OTLP_ENDPOINT: withMarks('http://127.0.0.1:1/otlp'),
      PORT: port,
    };
    service = await startServiceProcess(settings);
    const database = openDatabase({ url: withMarks(server.url) });
    await database.pool.query(`SELECT '${inStatement}'`);
    // PostgreSQL keeps the text of these, and the second one is the slowest statement of all.
    await database.pool.query(`CREATE ROLE another PASSWORD '${inCommand}'`);
    await database.pool.query(`DO $$ BEGIN PERFORM pg_sleep(2), '${inCommand}'; END $$`);
    const owner = await createPerson({ baseUrl: service.baseUrl, database }, { role: 'owner' });
    await database.close();
    const caller = createAdminCaller(service.baseUrl, owner);
    const account = await caller.mutate<{ account_id: string }>('keys.createAccount', {
      name: 'A',
    });
    const { key } = (
      await caller.mutate<{ key: string }>('keys.create', {
        account_id: account.data.account_id,
        name: 'k',
        permissions: ['metrics:view'],
      })
    ).data;
    made.push(owner.email, owner.password, owner.cookie.split('=')[1] ?? '', key);
    file = join(folder, 'bundle.json');
    result = await run(settings, ['--to', file, '--metrics', service.baseUrl]);
    text = await readFile(file, 'utf8').catch(() => '{}');
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  it('is one file that only its owner can read', async () => {
    expect(result).toMatchObject({ code: 0, output: `${file}\n` });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('contains no secret of the settings, of a URL, of a statement or of an account', () => {
    const all = Object.fromEntries(Object.keys(Environment.shape).map((name) => [name, 'any']));
    const hidden = showSettings(all).filter((each) => 'value' in each && each.value === '(hidden)');
    expect(hidden.map(({ name }) => name).filter((name) => name !== 'AUTH_ISSUER')).toEqual(
      Object.keys(SECRETS),
    );
    const secrets = [
      ...Object.values(SECRETS),
      user,
      password,
      inQuery,
      inStatement,
      inCommand,
      ...made,
    ];
    expect(Math.min(...secrets.map(({ length }) => length))).toBeGreaterThan(12);
    expect(findSecrets(text, secrets)).toEqual([]);
  });

  it('shows the other settings, without user, password and query of URLs', () => {
    const { host } = new URL(server.url);
    const shown = JSON.parse(text).settings;
    expect(shown).toContainEqual({ name: 'DATABASE_URL', value: `postgresql://${host}/muster` });
    expect(shown).toContainEqual({ name: 'OIDC_ISSUER', value: 'https://id.example/oidc' });
    expect(shown).toContainEqual({ name: 'AUTH_JWT_SECRET', value: '(hidden)' });
    expect(shown).toContainEqual({ name: 'PORT', value: settings.PORT });
    expect(shown).toContainEqual({ name: 'HOST', default: '127.0.0.1' });
  });

  it('has versions, checks, migrations, table sizes and metrics', async () => {
    const bundle = JSON.parse(text);
    expect(bundle.versions).toMatchObject({
      muster: expect.stringMatching(/^\d+\.\d+/),
      runtime: `Node.js ${process.versions.node}`,
      dependencies: { zod: expect.stringMatching(/^\d+\./) },
    });
    expect(bundle.doctor.checks).toContainEqual({
      name: 'tables',
      status: 'ok',
      message: 'up to date.',
    });
    const { migrations, server: facts } = bundle.database;
    expect(facts.version).toMatch(/^\d+\.\d+$/);
    const folders = await readdir(join(import.meta.dirname, '../../../../prisma/migrations'));
    const names = folders.filter((name) => /^\d{4}_/.test(name)).sort();
    expect(migrations.applied.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(migrations.missing).toEqual([]);
    expect(facts.tables).toContainEqual(
      expect.objectContaining({ name: 'session', bytes: expect.any(Number) }),
    );
    expect(bundle.metrics.lines).toContain('muster_database_available 1');
  });

  it('has the slowest statements with their plans', () => {
    const { statements } = JSON.parse(text).database;
    const times = statements.map(({ total_ms }: { total_ms: number }) => total_ms);
    expect(times.length).toBe(20);
    expect(times).toEqual(times.toSorted((one: number, other: number) => other - one));
    const withPlans = statements.filter(({ plan }: { plan: unknown }) =>
      JSON.stringify(plan).includes('(cost='),
    );
    expect(withPlans.length).toBeGreaterThan(15);
    expect(withPlans.some(({ query }: { query: string }) => query.includes('$1'))).toBe(true);
  });
});

describe('a part that cannot be made has a note, and the file is written', () => {
  const make = async (name: string, env: Record<string, string>, args: string[] = []) => {
    const file = join(folder, `${name}.json`);
    const { code } = await run(env, ['--to', file, ...args]);
    return { code, bundle: JSON.parse(await readFile(file, 'utf8')) };
  };

  it('with settings that are not valid, which it does not show', async () => {
    const { code, bundle } = await make('invalid', { PORT: 'a secret in the wrong setting' });
    expect(code).toBe(0);
    expect(bundle.settings).toContainEqual({ name: 'PORT', value: '(not valid)' });
    expect(bundle.doctor.status).toBe('error');
    expect(bundle.database.note).toMatch(/settings are not valid/);
    expect(JSON.stringify(bundle)).not.toContain('a secret in the wrong');
  });

  it('without a database, and with a service that does not run', async () => {
    const DATABASE_URL = `postgres://${user}:${password}@127.0.0.1:1/muster`;
    const { code, bundle } = await make('down', { DATABASE_URL }, [
      '--metrics',
      'http://127.0.0.1:1',
    ]);
    expect(code).toBe(0);
    expect(bundle.database.note).toMatch(/^The database cannot be used: .*ECONNREFUSED/);
    expect(bundle.metrics).toEqual({ note: 'http://127.0.0.1:1/metrics does not answer.' });
    expect(findSecrets(JSON.stringify(bundle), [user, password])).toEqual([]);
  });

  it('with an empty data folder, which it leaves empty', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    const { bundle } = await make('new', { DATA_DIR: empty });
    expect(bundle.database.note).toMatch(/holds no database/);
    expect(await readdir(empty)).toEqual([]);
  });

  it('without pg_stat_statements, and without tables', async () => {
    const database = await createTestDatabase({ migrated: false });
    const { bundle } = await make('bare', { DATABASE_URL: database.url });
    await database.drop();
    expect(bundle.database).toMatchObject({
      statements: { note: 'The database has no extension pg_stat_statements.' },
      migrations: { applied: { note: expect.stringContaining('_prisma_migrations') } },
    });
    expect(bundle.database.migrations.missing.length).toBeGreaterThan(0);
  });
});

describe('the command refuses', () => {
  it('a file that exists, which is unchanged', async () => {
    const file = join(folder, 'existing.json');
    await writeFile(file, 'mine');
    const { code, output, errors } = await run({}, ['--to', file]);
    expect([code, output, errors]).toEqual([1, '', expect.stringContaining('EEXIST')]);
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  it.each(['service', 'ftp://service', 'http://user:pass@service'])(
    'the address %s, without writing a file',
    async (address) => {
      const file = join(folder, 'refused.json');
      const { code, errors } = await run({}, ['--to', file, '--metrics', address]);
      expect([code, errors]).toEqual([2, expect.stringContaining('--metrics is the address')]);
      await expect(stat(file)).rejects.toThrow('ENOENT');
    },
  );
});
