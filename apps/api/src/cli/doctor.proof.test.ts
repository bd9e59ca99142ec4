// Problems that doctor reports before they end a start, and output that cannot be written.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestDatabase } from '@muster/database/testing';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startProgram } from '../../test/service-process.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const examine = async (env: Record<string, string>) => {
  const doctor = await startProgram('doctor', env);
  return { code: await doctor.ended, output: doctor.stdout() + doctor.stderr() };
};

describe('doctor reports the problem that ends a start', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-doctor-'));
    // Root runs PostgreSQL as another user, who must be able to enter the folder.
    await chmod(folder, 0o711);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const CASES: [string, RegExp, () => Promise<string>, 'its own' | 'another'][] = [
    [
      'a file instead of the folder',
      /DATA_DIR \S+\/data: \S+\/data is no folder: name another one\./,
      async () => {
        await writeFile(join(folder, 'data'), '');
        return join(folder, 'data');
      },
      'another',
    ],
    [
      'a dangling link',
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
      'no space, or no right to write',
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
  /** The exit code of the command in a shell, and its standard error. */
  const runInShell = async (command: string) => {
    const muster = join(import.meta.dirname, 'muster.ts');
    const child = spawn('bash', ['-c', command, process.execPath, muster], {
      env: { DATABASE_URL: database.url, PORT: '0', PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return [out.trim(), err];
  };

  it.each(['doctor', 'settings', '--help'])(
    'of %s: a reader that stops reading is no failure',
    async (name) => {
      const command = `"$0" "$1" ${name} | true; echo "\${PIPESTATUS[0]}"`;
      expect(await runInShell(command)).toEqual(['0', '']);
    },
  );

  it.runIf(existsSync('/dev/full')).each(['doctor', 'settings', '--help'])(
    'of %s: a full disk is reported in one line',
    async (name) => {
      const command = `"$0" "$1" ${name} > /dev/full; echo "$?"`;
      expect(await runInShell(command)).toEqual([
        '1',
        expect.stringMatching(/^The output cannot be written: ENOSPC: [^\n]*\n$/),
      ]);
    },
  );
});
