import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase, findFreePort } from '@muster/database/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startProgram, startServiceProcess } from '../../test/service-process.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('finds a database whose encoding no migration can be applied to', async () => {
  const name = `latin_${randomBytes(6).toString('hex')}`;
  const url = new URL(database.url);
  const admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
  url.pathname = `/${name}`;
  const { code, output } = await examine({ ...(await makeSettings()), DATABASE_URL: url.href });
  await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
  expect(code).toBe(1);
  expect(output).toMatch(/^fail +tables +The encoding of the database is LATIN1: .*'UTF8'/m);
});

/** Two free ports, and what else a service needs. */
const makeSettings = async () => ({
  DATABASE_URL: database.url,
  AUTH_JWT_SECRET: randomBytes(36).toString('base64url'),
  HOST: '0.0.0.0',
  PORT: String(await findFreePort()),
  METRICS_PORT: String(await findFreePort()),
});

const examine = async (env: Record<string, string>) => {
  const doctor = await startProgram('doctor', env);
  const code = await doctor.ended;
  const ports = doctor
    .stdout()
    .split('\n')
    .filter((line) => /^\w+ +ports /.test(line));
  return { code, ports, output: doctor.stdout() + doctor.stderr() };
};

describe('doctor finds what the start ends with', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-doctor-'));
    // Root runs PostgreSQL as another user, who has to pass through.
    await chmod(folder, 0o711);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const CASES: [string, RegExp, () => Promise<string>, 'its own' | 'another'][] = [
    [
      'a file in the place of the folder',
      /DATA_DIR \S+\/data: \S+\/data is no folder: name another one\./,
      async () => {
        await writeFile(join(folder, 'data'), '');
        return join(folder, 'data');
      },
      'another',
    ],
    [
      'a link that leads nowhere',
      /DATA_DIR \S+\/link cannot be used: /,
      async () => {
        await symlink(join(folder, 'gone'), join(folder, 'link'));
        return join(folder, 'link');
      },
      'another',
    ],
    [
      'a secret that is too short',
      /DATA_DIR holds a secret of less than 32 bytes in \S+\/jwt-secret: delete the file/,
      async () => {
        await writeFile(join(folder, 'jwt-secret'), 'short');
        return folder;
      },
      'another',
    ],
    [
      'no room, or no right to write',
      /DATA_DIR \/proc\/muster: (?:the disk of|this user may not write to) /,
      async () => '/proc/muster',
      'another',
    ],
    [
      'data of another PostgreSQL',
      /\S+\/cluster holds data of PostgreSQL 12, but this program brings PostgreSQL \d+: use/,
      async () => {
        await mkdir(join(folder, 'postgres/cluster'), { recursive: true });
        await writeFile(join(folder, 'postgres/cluster/PG_VERSION'), '12\n');
        return folder;
      },
      'its own',
    ],
  ];

  it.each(CASES)('%s', async (_, sentence, makeDataDir, which) => {
    const env = {
      DATA_DIR: await makeDataDir(),
      ...(which === 'another' && { DATABASE_URL: database.url }),
    };
    const { code, output } = await examine(env);
    expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
    expect(output).toMatch(/^fail /m);
    const service = await startProgram('service', { ...env, LOG_LEVEL: 'silent' });
    expect([await service.ended, service.stderr()]).toEqual([1, expect.stringMatching(sentence)]);
    expect(service.stderr().trim().split('\n')).toHaveLength(1);
  });
});

describe('an output that cannot be written', () => {
  /** What a shell says: the exit code of the command, and its standard error. */
  const runInShell = async (command: string) => {
    const muster = join(import.meta.dirname, 'muster.ts');
    const child = spawn('bash', ['-c', command, process.execPath, muster], {
      env: { ...(await makeSettings()), PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return [out.trim(), err];
  };

  it.each(['doctor', 'settings', '--help'])(
    'of %s: a reader that leaves is no failure',
    async (name) => {
      const command = `"$0" "$1" ${name} | true; echo "\${PIPESTATUS[0]}"`;
      expect(await runInShell(command)).toEqual(['0', '']);
    },
  );

  it.runIf(existsSync('/dev/full')).each(['doctor', 'settings', '--help'])(
    'of %s: a full disk is told in one line',
    async (name) => {
      const command = `"$0" "$1" ${name} > /dev/full; echo "$?"`;
      expect(await runInShell(command)).toEqual([
        '1',
        expect.stringMatching(/^The output cannot be written: ENOSPC: [^\n]*\n$/),
      ]);
    },
  );
});

describe('doctor looks at the ports', () => {
  it('and finds them free before the start', async () => {
    const { code, ports, output } = await examine(await makeSettings());
    expect(code, output).toBe(0);
    expect(ports).toEqual([expect.stringMatching(/^ok .*is free/), expect.stringMatching(/free/)]);
  });

  it('and finds nothing wrong beside the running service that holds them', async () => {
    const settings = await makeSettings();
    const service = await startServiceProcess(settings);
    const { code, ports, output } = await examine(settings);
    await service.stop();
    expect(code, output).toBe(0);
    expect(ports).toEqual([
      `ok    ports     0.0.0.0:${settings.PORT} is taken by Muster, which is running.`,
      `ok    ports     0.0.0.0:${settings.METRICS_PORT} is taken by Muster, which is running.`,
    ]);
  });

  it('and names the one that another program holds, whatever that answers', async () => {
    const settings = await makeSettings();
    const other = createServer((_, response) => response.end('{"status":"ok"}'));
    await once(other.listen(Number(settings.PORT), '0.0.0.0'), 'listening');
    const { code, ports } = await examine(settings);
    other.close();
    expect(code).toBe(1);
    expect(ports[0]).toMatch(/^fail .*in use by another program.*another PORT\.$/);
  });

  it('and, like the start, names the setting of the port of the metrics', async () => {
    const settings = await makeSettings();
    const other = createServer((_, response) => response.end());
    await once(other.listen(Number(settings.METRICS_PORT), '0.0.0.0'), 'listening');
    const { ports } = await examine(settings);
    const service = await startProgram('service', { ...settings, LOG_LEVEL: 'silent' });
    const code = await service.ended;
    other.close();
    const sentence = `Port ${settings.METRICS_PORT} of 0.0.0.0 is in use by another program: stop it, or choose another METRICS_PORT.`;
    expect(ports[1]).toBe(`fail  ports     ${sentence}`);
    expect([code, service.stderr().trim().split('\n').at(-1)]).toEqual([1, sentence]);
  });
});
