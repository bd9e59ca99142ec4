// The packed package, installed in empty folders as its users do: with its own PostgreSQL, without it, on Bun and Deno, by npx and bunx.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installRuntimes } from '../runtimes/test/install-runtimes.ts';

const PACKAGE = fileURLToPath(new URL('../../packages/server', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'muster-server-'));
const full = join(folder, 'full');
const lean = join(folder, 'lean');
const BIN = join('node_modules', '@muster', 'server', 'bin', 'muster.js');

const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};

const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];

let tarball = '';

beforeAll(() => {
  // Root's PostgreSQL runs as another user, who has to reach its programs.
  chmodSync(folder, 0o755);
  run('npm', ['pack', '--pack-destination', folder], PACKAGE);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  for (const [project, options] of [
    [full, []],
    [lean, ['--omit=optional']],
  ] as const) {
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    run('npm', ['install', ...QUIET, ...options, tarball], project);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const megabytesOf = (project: string): number =>
  Number(run('du', ['-sk', 'node_modules'], project).split('\t')[0]) / 1_024;

type Start = {
  project: string;
  args?: string[];
  env?: NodeJS.ProcessEnv;
  /** The command that runs the package. Default: Node.js and its program. */
  command?: [string, ...string[]];
};

const start = ({ project, args = [], env = {}, command = [process.execPath, BIN] }: Start) => {
  const { DATABASE_URL: _, ...ours } = process.env;
  const [program, ...before] = command;
  const child = spawn(program, [...before, ...args], {
    cwd: project,
    env: { ...ours, PORT: '0', ...env },
    // A group of its own, which Ctrl-C reaches as a whole.
    detached: true,
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (said.out += chunk));
  child.stderr.on('data', (chunk) => (said.err += chunk));
  return { child, said, ended: once(child, 'exit') as Promise<[number | null]> };
};

const runCommand = async (options: Start) => {
  const { ended, said } = start(options);
  const [code] = await ended;
  return { code, ...said };
};

/** Starts the service, takes the printed join, looks at its pages, and stops it by Ctrl-C. Answers how it ended. */
const proveService = async (options: Start): Promise<unknown> => {
  const { child, said, ended } = start(options);
  try {
    await expect
      .poll(() => said.out + said.err, { timeout: 240_000 })
      .toContain('Muster is ready at');
    const url = /ready at (\S+)/.exec(said.out)?.[1] ?? '';
    const join = said.out
      .split('\n')
      .find((line) => line.startsWith('curl') && line.includes('/player/'));
    const answer = spawn('sh', ['-c', join ?? 'false'], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect(JSON.parse(await text(answer.stdout))).toMatchObject({ session_id: 'welcome' });
    const page = await (await fetch(`${url}/`)).text();
    const asset = /\/assets\/[^"]+\.js/.exec(page)?.[0] ?? 'none';
    for (const path of [asset, '/docs', '/openapi.json', '/readyz', '/THIRD-PARTY-LICENSES.txt']) {
      expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
    }
  } finally {
    process.kill(-Number(child.pid), 'SIGINT');
  }
  return ended;
};

describe('with its own PostgreSQL', () => {
  it('takes at most 130 MB, and runs no install script of its own', () => {
    expect(megabytesOf(full)).toBeLessThan(130);
    const manifest = readFileSync(join(full, 'node_modules/@muster/server/package.json'), 'utf8');
    expect(Object.keys(JSON.parse(manifest).scripts ?? {})).not.toContain('postinstall');
  });

  it('starts, answers the join that it prints, serves its pages, and stops with its PostgreSQL', async () => {
    expect(await proveService({ project: full })).toEqual([0, null]);
    const cluster = join(full, '.data/postgres/cluster');
    expect([existsSync(cluster), existsSync(join(cluster, 'postmaster.pid'))]).toEqual([
      true,
      false,
    ]);
  });

  it('says its version, what is wrong with a command, and signs a token', async () => {
    expect((await runCommand({ project: full, args: ['--version'] })).out).toMatch(
      /^\d+\.\d+\.\d+\n$/,
    );
    const mistyped = await runCommand({ project: full, args: ['migrat'] });
    expect(mistyped).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no command migrat'),
    });
    const args = ['token', '--sub', 'ops', '--permissions', 'session:*'];
    expect((await runCommand({ project: full, args })).out.split('.')).toHaveLength(3);
  });

  it.each(['bun', 'deno'] as const)('runs on %s', async (name) => {
    const runtime = (await installRuntimes()).find((one) => one.name === name);
    const command = [`${runtime?.command}`, ...(runtime?.args ?? []), BIN] as [string, ...string[]];
    const env = { DATA_DIR: `.data-${name}` };
    expect(await proveService({ project: full, command, env })).toEqual([0, null]);
  });
});

describe('in an empty folder', () => {
  const makeEmpty = (name: string): string => {
    const project = join(folder, name);
    mkdirSync(project);
    return project;
  };
  // Not in a home, which the user of root's PostgreSQL cannot enter. The first Node.js of the path runs the command.
  const env = {
    npm_config_cache: join(folder, 'npm-cache'),
    BUN_INSTALL_CACHE_DIR: join(folder, 'bun-cache'),
    TMPDIR: folder,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  const isStopped = (project: string): boolean =>
    existsSync(join(project, '.data/postgres/cluster/PG_VERSION')) &&
    !existsSync(join(project, '.data/postgres/cluster/postmaster.pid'));

  it('npx brings it and its PostgreSQL, and Ctrl-C stops all of it', async () => {
    const project = makeEmpty('npx');
    const command = ['npx', '--yes', `--package=${tarball}`, 'muster'] as [string, ...string[]];
    await proveService({ project, command, env });
    await expect.poll(() => isStopped(project), { timeout: 120_000 }).toBe(true);
    expect(readdirSync(project)).toEqual(['.data']);
  });

  // Bun keeps what it brings in a folder that the user of root's PostgreSQL cannot enter; others than root need no DATABASE_URL.
  it('bunx brings it, and it serves the database of DATABASE_URL', async () => {
    const bun = (await installRuntimes()).find((one) => one.name === 'bun');
    const database = await createTestDatabase({ migrated: false });
    const command: [string, ...string[]] = [
      `${bun?.command}`,
      'x',
      '--bun',
      '--package',
      tarball,
      'muster',
    ];
    await proveService({
      project: makeEmpty('bunx'),
      command,
      env: { ...env, DATABASE_URL: database.url },
    });
    await database.drop();
  });
});

describe('without its own PostgreSQL', () => {
  it('takes at most 60 MB', () => {
    expect(megabytesOf(lean)).toBeLessThan(60);
  });

  it('explains what to do when DATABASE_URL is not set', async () => {
    const { code, err } = await runCommand({ project: lean });
    expect([code, err]).toEqual([1, expect.stringMatching(/optional dependencies.*DATABASE_URL/)]);
    const doctor = await runCommand({ project: lean, args: ['doctor'] });
    expect([doctor.code, doctor.out]).toEqual([
      1,
      expect.stringMatching(/^fail {2}database .*DATABASE_URL/m),
    ]);
  });

  it('migrates, examines and serves the database of DATABASE_URL', async () => {
    const database = await createTestDatabase({ migrated: false });
    const env = { DATABASE_URL: database.url };
    const before = await runCommand({ project: lean, args: ['doctor'], env });
    expect([before.code, before.out]).toEqual([
      0,
      expect.stringMatching(/^ok {4}tables .*0001_initial/m),
    ]);
    const migrated = await runCommand({ project: lean, args: ['migrate'], env });
    expect([migrated.code, migrated.out]).toEqual([0, expect.stringContaining('0001_initial')]);
    const again = await runCommand({ project: lean, args: ['migrate'], env });
    expect(again.out).toBe('The database is up to date: nothing was missing.\n');
    expect(await proveService({ project: lean, env })).toEqual([0, null]);
    await database.drop();
  });
});
