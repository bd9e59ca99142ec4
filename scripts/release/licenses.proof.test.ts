// The licences in each published package and in the web app, held against what the bundlers' source maps say their files are made of.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseNotices } from '@muster/licenses';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../setup/repository.mjs';
import type { PackedLicenses } from './test/check-licenses.ts';
import { findLicenseProblems, readPackedLicenses } from './test/check-licenses.ts';

const WEB = join(ROOT, 'apps/web');
/** Beside the sources, which the maps name by relative paths. */
const WEB_WITH_MAPS = join(WEB, '.map-dist');
const folder = mkdtempSync(join(tmpdir(), 'muster-licenses-'));

const run = (command: string, args: string[], cwd: string): void => {
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
};

/** Names and versions, sorted. */
type Artefact = { entries: string[]; mapped: string[] };

const buildWeb = (): Artefact => {
  const quiet = ['--emptyOutDir', '--logLevel', 'error'];
  run('vite', ['build', '--sourcemap', '--outDir', WEB_WITH_MAPS, ...quiet], WEB);
  const notices = readFileSync(join(WEB_WITH_MAPS, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  return { entries: listEntries(notices), mapped: listMapped(WEB_WITH_MAPS) };
};

/** `packed` is the folder that is published, below `packages`. */
const buildPackage = (packed: string): Artefact & { licenses: PackedLicenses } => {
  const workspace = join(ROOT, 'packages', packed.split('/')[0] ?? '');
  run('tsdown', ['--sourcemap', '--log-level', 'error'], workspace);
  const mapped = listMapped(join(workspace, 'dist'));
  // The maps are gone after the build that is published.
  run('tsdown', ['--log-level', 'error'], workspace);
  const before = readdirSync(folder);
  const packing = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  run('npm', packing, join(ROOT, 'packages', packed));
  const [tarball = ''] = readdirSync(folder).filter((file) => !before.includes(file));
  const licenses = readPackedLicenses(join(folder, tarball));
  return { licenses, entries: listEntries(licenses.notices ?? ''), mapped };
};

const listEntries = (notices: string): string[] =>
  parseNotices(notices).map(({ name, version }) => `${name} ${version}`);

/** The packages that the source maps in a folder name. */
const listMapped = (path: string): string[] => {
  const packages = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.map'))
    .flatMap((file) => {
      const { sources } = JSON.parse(readFileSync(join(path, file), 'utf8'));
      return (sources as string[]).map((source) => resolve(dirname(join(path, file)), source));
    })
    .flatMap((source) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(source) ?? []);
  return [...new Set(packages)].map(identify).toSorted();
};

const identify = (path: string): string => {
  const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  return `${name} ${version}`;
};

/** What is in an artefact without being in a source map, such as the bundler's own code. */
const listUnmapped = ({ entries, mapped }: Artefact): string[] => {
  expect(entries).toEqual(expect.arrayContaining(mapped));
  return entries.filter((entry) => !mapped.includes(entry)).map((entry) => entry.split(' ')[0]!);
};

let web: Artefact;

beforeAll(() => {
  web = buildWeb();
});

afterAll(() => {
  for (const path of [folder, WEB_WITH_MAPS]) rmSync(path, { recursive: true, force: true });
});

test('the web app has those of each package in it, of its font, its icons and its bundler', () => {
  expect(web.mapped.length).toBeGreaterThan(40);
  expect(listUnmapped(web)).toEqual([
    '@fontsource-variable/inter',
    '@tabler/icons',
    'rolldown',
    'vite',
  ]);
});

test.each(['contract/dist', 'client', 'admin-client'])('%s contains none but ours', (packed) => {
  const { licenses, entries, mapped } = buildPackage(packed);
  expect(findLicenseProblems(licenses)).toEqual([]);
  expect([entries, mapped]).toEqual([[], []]);
});

test('pact-kit has those of each package in it and of its bundler', () => {
  const { licenses, ...artefact } = buildPackage('pact-kit/dist');
  expect(findLicenseProblems(licenses)).toEqual([]);
  expect(artefact.mapped.length).toBeGreaterThan(100);
  expect(listUnmapped(artefact)).toEqual(['rolldown']);
});

test('server has those of each package in it, of its bundler, of the web app and of the page of the API', () => {
  const { licenses, entries, mapped } = buildPackage('server');
  expect(findLicenseProblems(licenses)).toEqual([]);
  const all = [...new Set([...mapped, ...web.entries])];
  expect(listUnmapped({ entries, mapped: all })).toEqual(['swagger-ui-dist']);
  const swagger = parseNotices(licenses.notices ?? '').find(
    ({ name }) => name === 'swagger-ui-dist',
  );
  // Its licence, its notice, and what its bundle says about its own parts.
  for (const text of ['Apache License', 'SmartBear Software', 'DOMPurify']) {
    expect(swagger?.text).toContain(text);
  }
});
