// An upgrade: the service of the last release runs, the new one migrates the same database and runs next to it, and the
// old one stops. The last release is the newest tag; before the first tag, the newest commit with fewer migrations.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAdminCaller } from '../admin-caller.ts';
import { startServiceProcess } from '../service-process.ts';
import { SCALE } from './inject-fault.ts';
import { startJoinLoad } from './join-load.ts';
import { authorise, createTestBed, SECRET } from './test-bed.ts';
import { NOTHING_LOST, verifyOutcome } from './verify-outcome.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const ROOT = resolve(import.meta.dirname, '../../../..');
const ITEMS = 60;
/** Phases: only the old one, both, only the new one. */
const JOINS = 400 * SCALE;

const git = (...args: string[]): string => {
  const { status, stdout } = spawnSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return status === 0 ? stdout.trim() : '';
};

/** Each file of the migrations with the digest of its content. */
const listMigrations = (commit: string): string[] =>
  git('ls-tree', '-r', commit, 'prisma/migrations').split('\n').filter(Boolean);

/** Null without the history, as in a shallow clone or a copied folder. */
const findLastRelease = (): string | null => {
  const today = new Set(listMigrations('HEAD'));
  const isBefore = (commit: string): boolean => {
    const migrations = listMigrations(commit);
    const isPart = migrations.length > 0 && migrations.every((file) => today.has(file));
    return isPart && migrations.length < today.size;
  };
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*.*.*', 'HEAD^');
  if (tag) return tag;
  const commits = git('rev-list', 'HEAD').split('\n').filter(Boolean);
  return commits.find(isBefore) ?? null;
};

/**
 * Installs the sources of the release with its own lockfile, including packages that have since been removed or
 * updated, and bundles its published package. Returns the folder.
 */
const checkOut = (commit: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-upgrade-'));
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const scope = ['--omit=dev', '--include-workspace-root', '--workspace=@muster/api'];
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  run('npm', ['ci', ...scope, ...quiet], folder);
  const generated = join(folder, 'packages/database/src/generated/client.ts');
  // Later releases include the generated client, and no generator.
  if (!existsSync(generated)) {
    run(process.execPath, ['packages/database/src/generate-client.ts'], folder);
  }
  return folder;
};

const run = (command: string, args: readonly string[], cwd: string): void => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
};

const release = findLastRelease();
let folder = '';
beforeAll(() => {
  if (release) folder = checkOut(release);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const createHistory = async (baseUrl: string): Promise<string> => {
  const admin = createAdminCaller(baseUrl, { authorization: await authorise('a', '*') });
  const sandbox = await admin.mutate<{ sandbox_id: string }>('sandboxes.create', { name: 'Old' });
  const { sandbox_id } = sandbox.data;
  const operations = Array.from({ length: ITEMS }, (_, n) => ({
    operation: 'create',
    name: `Item ${n}`,
    item_type: 'unit',
  }));
  const { status } = await admin.mutate('items.bulk', { sandbox_id, operations });
  expect(status).toBe(200);
  return `/v1/history/sandbox/${sandbox_id}/item/?page_size=100`;
};

const readHistory = async (url: string): Promise<unknown[]> => {
  const response = await fetch(url, { headers: { authorization: await authorise('a', '*') } });
  const { transactions } = (await response.json()) as { transactions: unknown[] };
  return transactions;
};

test.runIf(release)(
  'loses no join and changes no history while a new release replaces the old one (skipped without the git history)',
  async () => {
    const database = await createTestDatabase({ migrated: false });
    const env = { DATABASE_URL: database.url, AUTH_JWT_SECRET: SECRET };
    const old = await startServiceProcess(env, join(folder, 'apps/api/src'));
    const testBed = await createTestBed(old.baseUrl, 100 * SCALE);
    const path = await createHistory(old.baseUrl);
    const history = await readHistory(`${old.baseUrl}${path}`);
    expect(history).toHaveLength(ITEMS);

    const baseUrls = [old.baseUrl];
    const load = startJoinLoad({ testBed, baseUrls });
    const playOn = async () => {
      const wanted = load.count() + JOINS;
      await expect.poll(load.count, { timeout: 60_000 }).toBeGreaterThan(wanted);
    };
    await playOn();
    const current = await startServiceProcess(env);
    await playOn();
    const seen = await Promise.all(
      [old, current].map(({ baseUrl }) => readHistory(`${baseUrl}${path}`)),
    );
    baseUrls.push(current.baseUrl);
    await playOn();
    baseUrls.shift();
    expect(await old.stop()).toBe(0);
    await playOn();
    const joins = await load.stop();

    expect(seen).toEqual([history, history]);
    expect(await readHistory(`${current.baseUrl}${path}`)).toEqual(history);
    expect(joins.joins.filter(({ outcome }) => outcome === 'lost')).toEqual([]);
    expect(await verifyOutcome(database.url, { testBed, joins })).toEqual(NOTHING_LOST);
    process.stderr.write(`Upgraded from ${release} under ${joins.joins.length} joins.\n`);
    expect(await current.stop()).toBe(0);
    await database.drop();
  },
);
