// `npm run release -- --dry-run`: every artefact of a release in dist/, with checksums and sizes. Publishing is left to
// .github/workflows/release.yml, which publishes exactly these files. Exit codes: 0 the service starts in time, 1 it does not, 2 wrong usage.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../runtimes/service-process.ts';
import { ROOT, report, runScript, SetupError } from '../setup/repository.mjs';
import { machineEnvironment } from '../setup/runtime.mjs';

const USAGE = `npm run release -- --dry-run

Builds the packages, the chart and the list of components into dist/, prints their sizes, starts the service, and publishes nothing:
the workflow "release" does that for a tag.`;

const DIST = join(ROOT, 'dist');
const MOST_START_MS = 2_000;

/** The published packages, each after the ones that it needs; some are packed from their build folder. */
const PACKAGES = ['contract/dist', 'client', 'admin-client', 'pact-kit/dist', 'server'];

const main = async (): Promise<number> => {
  const args = process.argv.slice(2);
  if (args.join() !== '--dry-run') {
    console.log(USAGE);
    return args.includes('--help') ? 0 : 2;
  }
  rmSync(DIST, { recursive: true, force: true });
  mkdirSync(DIST);
  for (const path of PACKAGES) pack(path);
  packChart();
  copyFileSync(join(ROOT, 'packages/server/dist/sbom.cdx.json'), join(DIST, 'sbom.cdx.json'));
  const files = readdirSync(DIST).toSorted();
  writeFileSync(
    join(DIST, 'SHA256SUMS'),
    files.map((name) => `${digest(name)}  ${name}\n`).join(''),
  );
  for (const name of files) {
    const megabytes = (statSync(join(DIST, name)).size / 1e6).toFixed(2);
    console.log(`${megabytes.padStart(8)} MB  dist/${name}`);
  }
  const server = join(DIST, files.find((name) => name.startsWith('muster-server-')) ?? '');
  const milliseconds = await timeStart(server);
  const verdict = milliseconds <= MOST_START_MS ? 'ok    ' : 'FAILED';
  console.log(`${verdict} ready after ${milliseconds.toFixed(0)} ms, at most ${MOST_START_MS}`);
  return milliseconds <= MOST_START_MS ? 0 : 1;
};

/** Installs the packed server as its users do; returns the milliseconds from the start of the process until it is ready. */
const timeStart = async (packed: string): Promise<number> => {
  report('Installing and starting the server …');
  const cwd = mkdtempSync(join(tmpdir(), 'muster-release-'));
  // Root's PostgreSQL runs as another user, who has to reach its programs.
  chmodSync(cwd, 0o755);
  try {
    writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
    run('npm', ['install', ...quiet, packed], cwd);
    const args = ['node_modules/@muster/server/bin/muster.js'];
    // Settings of the caller must not affect the measurement.
    const { PATH = '' } = machineEnvironment();
    const env = { PATH, DATA_DIR: join(cwd, 'data'), PORT: '0' };
    const times: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const service = await startService({ command: process.execPath, args, cwd }, env);
      service.signalAll('SIGTERM');
      await service.ended;
      times.push(service.readyMs);
    }
    // The first start makes the database; the fastest of the others shows the time of the service on an idle machine.
    return Math.min(...times.slice(1));
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
};

/** Throws SetupError where it fails. */
const run = (command: string, args: readonly string[], cwd: string): void => {
  const options = { cwd, encoding: 'utf8', env: machineEnvironment(), maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  if (status !== 0) throw new SetupError(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
};

const digest = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(join(DIST, name)))
    .digest('hex');

const pack = (path: string): void => {
  const [name = ''] = path.split('/');
  const folder = join(ROOT, 'packages', name);
  report(`Packing ${name} …`);
  if (path !== name) run('npm', ['run', 'build'], folder);
  run('npm', ['pack', '--pack-destination', DIST], join(ROOT, 'packages', path));
};

/** What `helm package` makes, with our licence: the folder under the name of the chart. The same sources give the same bytes. */
const packChart = (): void => {
  const chart = readFileSync(join(ROOT, 'deploy/helm/Chart.yaml'), 'utf8');
  const version = /^version: (\S+)$/m.exec(chart)?.[1];
  const server = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8'));
  if (version !== server.version) {
    throw new SetupError(`The chart has version ${version}, and the service ${server.version}.`);
  }
  const archive = join(DIST, `muster-chart-${version}.tgz`);
  const names = ['--transform', 's,^,muster/,;s,^muster/helm,muster,'];
  const order = ['--owner=0', '--group=0', '--sort=name'];
  const time = '--mtime=1985-10-26T08:15:00Z';
  const contents = ['-C', join(ROOT, 'deploy'), 'helm', '-C', ROOT, 'LICENSE'];
  run('tar', ['-czf', archive, ...names, ...order, time, ...contents], ROOT);
};

await runScript(main);
