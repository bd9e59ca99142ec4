// `npm run release -- --dry-run`: every artefact of a release in dist/, with checksums, sizes and times. Publishing is left to
// .github/workflows/release.yml, which publishes exactly these files. Exit codes: 0 all within bounds, 1 not, 2 wrong usage.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
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
import { ROOT, report, runScript, SetupError } from '../setup/repository.mjs';
import { machineEnvironment } from '../setup/runtime.mjs';

const USAGE = `npm run release -- --dry-run

Builds the packages, the chart and the list of components into dist/, prints sizes and times, and publishes nothing:
that is done by the workflow "release" for a tag.`;

const DIST = join(ROOT, 'dist');

/** What people install, in the order in which the packages need each other; some are packed from the folder that their build fills. */
const PACKAGES = ['contract/dist', 'client', 'pact-kit/dist', 'server'];

type Measure = { what: string; value: number; bound: number; unit: string };

const main = async (): Promise<number> => {
  const args = process.argv.slice(2);
  if (args.length !== 1 || args[0] !== '--dry-run') {
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
    console.log(`${megabytes(statSync(join(DIST, name)).size).padStart(8)} MB  dist/${name}`);
  }
  const measures = await measureServer();
  for (const { what, value, bound, unit } of measures) {
    const verdict = value <= bound ? 'ok    ' : 'FAILED';
    console.log(`${verdict} ${what}: ${value.toFixed(1)} ${unit}, at most ${bound}`);
  }
  return measures.every(({ value, bound }) => value <= bound) ? 0 : 1;
};

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2);

const digest = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(join(DIST, name)))
    .digest('hex');

const run = (command: string, args: readonly string[], cwd: string): string => {
  const options = { cwd, encoding: 'utf8', env: machineEnvironment(), maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  if (status !== 0) throw new SetupError(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};

const pack = (path: string): void => {
  const [name = ''] = path.split('/');
  const folder = join(ROOT, 'packages', name);
  report(`Packing ${name} …`);
  if (path !== name) run('npm', ['run', 'build'], folder);
  run('npm', ['pack', '--pack-destination', DIST], join(ROOT, 'packages', path));
};

/** What `helm package` makes: the folder under the name of the chart. The same sources give the same bytes, as `npm pack` does it. */
const packChart = (): void => {
  const chart = readFileSync(join(ROOT, 'deploy/helm/Chart.yaml'), 'utf8');
  const version = /^version: (\S+)$/m.exec(chart)?.[1];
  const server = JSON.parse(readFileSync(join(ROOT, 'packages/server/package.json'), 'utf8'));
  if (version !== server.version) {
    throw new SetupError(`The chart has version ${version}, and the service ${server.version}.`);
  }
  const archive = join(DIST, `muster-chart-${version}.tgz`);
  const names = ['--transform', 's,^helm,muster,', '--owner=0', '--group=0', '--sort=name'];
  const time = '--mtime=1985-10-26T08:15:00Z';
  run('tar', ['-czf', archive, ...names, time, '-C', join(ROOT, 'deploy'), 'helm'], ROOT);
};

/** Installs the packed server as its users do, and starts it. */
const measureServer = async (): Promise<Measure[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-release-'));
  // Root's PostgreSQL runs as another user, who has to reach its programs.
  chmodSync(folder, 0o755);
  try {
    const measures = [
      install(folder, 'without PostgreSQL', 60, ['--omit=optional']),
      install(folder, 'with PostgreSQL', 130, []),
    ];
    report('Starting the installed service …');
    const project = join(folder, 'with PostgreSQL');
    const times: number[] = [];
    // The first start makes the database; of the others, the fastest tells what the service needs on a machine that is not busy.
    for (let round = 0; round < 4; round += 1) times.push(await timeStart(project));
    const value = Math.min(...times.slice(1)) / 1_000;
    return [...measures, { what: 'ready after', value, bound: 2, unit: 's' }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const install = (folder: string, name: string, bound: number, options: string[]): Measure => {
  report(`Installing the server ${name} …`);
  const project = join(folder, name);
  const tarball = readdirSync(DIST).find((file) => file.startsWith('muster-server-')) ?? '';
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  run('npm', ['install', ...quiet, ...options, join(DIST, tarball)], project);
  const [kilobytes] = run('du', ['-sk', 'node_modules'], project).split('\t');
  return { what: `installed ${name}`, value: Number(kilobytes) / 1_024, bound, unit: 'MB' };
};

/** Milliseconds from the start of the process to its sentence that it is ready. */
const timeStart = async (project: string): Promise<number> => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['node_modules/@muster/server/bin/muster.js'], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: project, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  const ready = new Promise<number>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part) => {
        output += part;
        if (output.includes('Muster is ready at')) resolve(performance.now() - startedAt);
      });
    }
  });
  const elapsed = await Promise.race([ready, exited.then(() => null)]);
  child.kill('SIGTERM');
  await exited;
  if (elapsed === null) throw new SetupError(`The installed service did not start: ${output}`);
  return elapsed;
};

await runScript(main);
