// `npm run release -- --dry-run`: every artefact of a release in dist/, with checksums, sizes and times. Publishing is left to
// .github/workflows/release.yml, which publishes exactly these files. Exit codes: 0 all within bounds, 1 not, 2 wrong usage.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ROOT, report, runScript, SetupError } from '../setup/repository.mjs';
import { measureServer, run } from './measure.ts';

const USAGE = `npm run release -- --dry-run

Builds the packages, the chart and the list of components into dist/, prints sizes and times, and publishes nothing:
the workflow "release" does that for a tag.`;

const DIST = join(ROOT, 'dist');

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
  const measures = await measureServer(server);
  for (const { what, value, bound, unit } of measures) {
    const verdict = value <= bound ? 'ok    ' : 'FAILED';
    console.log(`${verdict} ${what}: ${value.toFixed(1)} ${unit}, at most ${bound}`);
  }
  return measures.every(({ value, bound }) => value <= bound) ? 0 : 1;
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
