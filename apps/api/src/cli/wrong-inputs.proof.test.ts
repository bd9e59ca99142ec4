// Wrong inputs of operators: each command ends with one sentence and a code other than 0.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startProgram } from '../../test/service-process.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'muster-inputs-'));
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'file'), '');
  const backup = await startProgram('backup', { DATABASE_URL: database.url }, ['--to', archive()]);
  expect(await backup.ended).toBe(0);
  await mkdir(join(folder, 'closed'));
  const secret = randomBytes(36).toString('hex');
  await writeFile(join(folder, 'closed/jwt-secret'), secret, { mode: 0o600 });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

const archive = () => join(folder, 'backup.tar');
const elsewhere = (name: string) => database.url.replace(/\/[^/]*$/, `/${name}`);
const TOKEN = ['token', '--sub', 'me', '--permissions', '*'];

type Case = [
  title: string,
  sentence: RegExp,
  command: () => { args: string[]; env: Record<string, string> },
];

const run = (
  { args, env }: ReturnType<Case[2]>,
  user?: number,
): Promise<{ code: unknown; errors: string }> =>
  new Promise((resolve) => {
    const line = [join(import.meta.dirname, 'muster.ts'), ...args];
    const options = {
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data'), ...env },
      cwd: tmpdir(),
      killSignal: 'SIGKILL' as const,
      timeout: 30_000,
      ...(user !== undefined && { uid: user, gid: user }),
    };
    execFile(process.execPath, line, options, (error, _, errors) =>
      resolve({ code: error?.code ?? 0, errors }),
    );
  });

const CASES: Case[] = [
  [
    'a database that does not exist',
    /database "none" does not exist\. Create the database, or correct its name\./,
    () => ({
      args: ['backup', '--to', join(folder, 'new.tar')],
      env: { DATABASE_URL: elsewhere('none') },
    }),
  ],
  [
    'a server that does not run',
    /ECONNREFUSED 127\.0\.0\.1:1\. Check that PostgreSQL runs there, the address and the firewall\./,
    () => ({ args: ['serve'], env: { DATABASE_URL: 'postgres://127.0.0.1:1/muster' } }),
  ],
  [
    'a DATA_DIR that is a file',
    /^DATA_DIR \S+ cannot be used: .*: name a folder that this user may read and write/,
    () => ({ args: TOKEN, env: { DATA_DIR: join(folder, 'file') } }),
  ],
  [
    'a DATA_DIR without a database',
    /holds no database: is it the right DATA_DIR\?/,
    () => ({ args: ['owner', 'list'], env: {} }),
  ],
];

it.each(CASES)('%s', async (_, sentence, command) => {
  const { code, errors } = await run(command());
  expect([code, errors]).toEqual([1, expect.stringMatching(sentence)]);
  expect(errors.trim().split('\n')).toHaveLength(1);
});

it.runIf(existsSync('/proc/self'))('a path under which no folder can be made', async () => {
  const env = { DATABASE_URL: database.url };
  const backup = await run({ args: ['backup', '--to', '/proc/muster/backup.tar'], env });
  expect(backup).toEqual({
    code: 1,
    errors: expect.stringMatching(/^Cannot write \/proc\/muster\/backup\.tar: ENOENT: .*\n$/),
  });
  const args = ['restore', '--from', archive()];
  const restore = await run({ args, env: { DATA_DIR: '/proc/muster' } });
  expect([restore.code, restore.errors]).toEqual([
    1,
    expect.stringMatching(/DATA_DIR \/proc\/muster: (?:the disk of|this user may not write to) /),
  ]);
});

const NOBODY = 65_534;

it.runIf(process.getuid?.() === 0)('files of another user (left out without root)', async () => {
  const env = { DATA_DIR: join(folder, 'closed') };
  const sentence = expect.stringMatching(
    /^DATA_DIR \S+ cannot be used: EACCES: .*: name a folder that this user may read and write, or run this as the user of the service\.\n$/,
  );
  expect(await run({ args: TOKEN, env }, NOBODY)).toEqual({ code: 1, errors: sentence });
  const args = ['backup', '--to', join(folder, 'other.tar')];
  const settings = { ...env, DATABASE_URL: database.url };
  expect(await run({ args, env: settings }, NOBODY)).toEqual({ code: 1, errors: sentence });
});
