import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { postAuth } from '../../test/auth-calls.ts';
import { noteSecrets } from '../../test/suite-logs/suite-logs.ts';
import type { TestService } from '../../test/test-service.ts';
import { signIn, startTestService } from '../../test/test-service.ts';
import { loadConfig } from '../platform/index.ts';
import { prepareFirstOwner } from './owner-password.ts';

let service: TestService;
let DATA_DIR: string;
let file: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

beforeEach(async () => {
  await service.database.prisma.accountUser.deleteMany();
  DATA_DIR = await mkdtemp(join(tmpdir(), 'muster-owner-'));
  file = join(DATA_DIR, 'owner-password');
});
afterEach(() => rm(DATA_DIR, { recursive: true }));

const email = 'owner@muster.local';
const prepare = (showsSecrets: boolean, dataDir = DATA_DIR) =>
  prepareFirstOwner({
    database: service.database,
    config: loadConfig({ DATA_DIR: dataDir }),
    showsSecrets,
  });

const readPassword = async (): Promise<string> => {
  const password = (await readFile(file, 'utf8')).trim();
  noteSecrets(password);
  return password;
};

const choosePassword = async (cookie: string, currentPassword: string): Promise<void> => {
  const passwords = { currentPassword, newPassword: 'a new password, quite long' };
  const answer = await postAuth(service.baseUrl, '/change-password', passwords, { cookie });
  expect(answer.status).toBe(200);
};

it('keeps the password in a private file until the owner has chosen another', async () => {
  expect(await prepare(false)).toEqual({ email, file });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(DATA_DIR)).toEqual(['owner-password']);
  const password = await readPassword();
  // A start within a minute makes no other password, and the first sign-in does not invalidate this one.
  expect(await prepare(false)).toEqual({ email, file });
  const cookie = await signIn(service.baseUrl, email, password);
  expect(await prepare(false)).toEqual({ email, file });
  expect(await readPassword()).toBe(password);
  await choosePassword(cookie, password);
  expect(await prepare(false)).toBeNull();
  expect(await readdir(DATA_DIR)).toEqual([]);
});

it('replaces a link of that name without changing its target', async () => {
  const foreign = join(DATA_DIR, 'foreign');
  await writeFile(foreign, 'unchanged', { mode: 0o644 });
  await symlink(foreign, file);
  await prepare(false);
  expect(await readFile(foreign, 'utf8')).toBe('unchanged');
  await signIn(service.baseUrl, email, await readPassword());
});

it('shows the password when that is allowed, and deletes a file with an older one', async () => {
  await writeFile(file, 'of an earlier start\n');
  const owner = await prepare(true);
  expect(owner).toEqual({ email, oneTimePassword: expect.any(String) });
  expect(await readdir(DATA_DIR)).toEqual([]);
});

it('makes no owner when the file cannot be written', async () => {
  const noFolder = join(DATA_DIR, 'no-folder');
  await writeFile(noFolder, '');
  await expect(prepare(false, noFolder)).rejects.toThrow(`DATA_DIR ${noFolder} cannot be used: `);
  expect(await service.database.prisma.accountUser.count()).toBe(0);
});
