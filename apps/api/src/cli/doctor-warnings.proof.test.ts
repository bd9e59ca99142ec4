// Problems that a start survives: doctor and the log of the start name them.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startProgram } from '../../test/service-process.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const AUTH_JWT_SECRET = randomBytes(36).toString('hex');

const examine = async (env: Record<string, string>) => {
  const settings = { DATABASE_URL: database.url, AUTH_JWT_SECRET, ...env };
  const doctor = await startProgram('doctor', settings);
  return { code: await doctor.ended, output: doctor.stdout() + doctor.stderr() };
};

it('a misspelt setting', async () => {
  const env = { DATABSE_URL: database.url, MAX_CONNECTIONZ: '100' };
  const { code, output } = await examine(env);
  expect(code).toBe(0);
  expect(output).toMatch(
    /^warn {2}settings .*DATABSE_URL is not a setting.*Did you mean DATABASE_URL/m,
  );
  expect(output).toMatch(
    /^warn {2}settings .*MAX_CONNECTIONZ is not a setting.*Did you mean MAX_CONNECTIONS/m,
  );
  const service = await startProgram('service', {
    ...env,
    DATABASE_URL: database.url,
    DEMO_DATA: '0',
  });
  await service.baseUrl();
  service.signal('SIGTERM');
  await service.ended;
  expect(service.stderr()).toContain('Did you mean DATABASE_URL?');
});

it('missing indexes of searches', async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('DROP INDEX player_name_contains');
  await client.end();
  const sentence = 'The indexes player_name_contains are missing';
  expect(await examine({})).toMatchObject({ code: 0, output: expect.stringContaining(sentence) });
  const service = await startProgram('service', { DATABASE_URL: database.url, DEMO_DATA: '0' });
  await service.baseUrl();
  service.signal('SIGTERM');
  await service.ended;
  expect(service.stderr()).toContain(sentence);
});

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0;

/** Containers and ordinary users may not mount. */
const mayMount = await (async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-mount-'));
  const isMounted = mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder);
  if (isMounted) spawnSync('umount', [folder]);
  await rm(folder, { recursive: true });
  return isMounted;
})();

describe.runIf(mayMount)(
  'a DATA_DIR that is not written at every start (left out without the right to mount)',
  () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'muster-small-disk-'));
      mount('-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder);
      await chmod(folder, 0o711);
    });
    afterEach(async () => {
      spawnSync('umount', [folder]);
      await rm(folder, { recursive: true });
    });

    it('on a full disk', async () => {
      await writeFile(join(folder, 'filler'), Buffer.alloc(1_900_000));
      const { output } = await examine({ DATA_DIR: folder });
      expect(output).toMatch(/^warn {2}disk .*the disk of \S+ is full: make room\./m);
    });

    it('on a read-only file system', async () => {
      mount('-o', 'remount,ro', folder);
      const { output } = await examine({ DATA_DIR: folder });
      expect(output).toMatch(
        /^warn {2}disk .*the file system of \S+ is read-only: mount it writable/m,
      );
    });
  },
);
