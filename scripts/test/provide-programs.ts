// Installs the programs that tests need besides the packages of the lockfile: a browser, and for some proofs nginx and PgBouncer.
// Where that is not possible, one sentence names the package to install.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT, report, SetupError } from '../setup/repository.mjs';

/** Of a file of tests, the path relative to the root. */
const needsBrowser = (path: string): boolean =>
  /\.browser\.test\.ts$|^apps\/web\/.*\.proof\.test\.ts$|\/docs-page\.proof\.test\.ts$/.test(path);
const needsNginx = (path: string): boolean =>
  /^apps\/api\/test\/(?:faults|scaling)\/.*\.proof\.test\.ts$/.test(path);
const needsPgbouncer = (path: string): boolean =>
  /(?:pgbouncer|pooling|failover)\.proof\.test\.ts$/.test(path);

/** Throws a SetupError where something is missing that cannot be installed here. */
export const provideFor = (paths: readonly string[]): void => {
  if (paths.some(needsBrowser)) provideBrowser();
  if (paths.some(needsNginx)) provideProgram('nginx', 'nginx-light', 'NGINX_PATH');
  if (paths.some(needsPgbouncer)) provideProgram('pgbouncer', 'pgbouncer', 'PGBOUNCER_PATH');
};

/** It says by itself what is wrong. */
const provideBrowser = (): void => {
  const program = join(ROOT, 'packages/browser-testing/src/provide-browser.ts');
  const { status } = spawnSync(process.execPath, [program], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new SetupError('The tests need a browser.');
};

/** Folders of administrators are often not on the path of others. */
const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

/** `debianPackage` brings the program; `setting` is the environment variable that names its path. */
const provideProgram = (name: string, debianPackage: string, setting: string): void => {
  const { [setting]: given, PATH = '' } = process.env;
  const folders = [...PATH.split(delimiter), ...FOLDERS];
  if (given || folders.some((folder) => isProgram(join(folder, name)))) return;
  if (!installDebianPackages(debianPackage)) {
    throw new SetupError(
      `No ${name} found: install it (on Debian "apt-get install ${debianPackage}") or set ${setting} to its program.`,
    );
  }
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

// Programs that only proofs need come from Debian's packages, where that is ours to do: as root, on Debian.

/** Another installation may be under way: apt then waits for its lock instead of failing. */
const APT = ['--quiet=2', '--option=DPkg::Lock::Timeout=600'];

export const isRootOnDebian = (): boolean =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** Answers whether the packages are there now. */
export const installDebianPackages = (...names: string[]): boolean => {
  if (!isRootOnDebian()) return false;
  report(`Installing Debian's ${names.join(', ')} for the proofs …`);
  return runApt('update') && runApt('install', '--yes', '--no-install-recommends', ...names);
};

const runApt = (command: string, ...args: string[]): boolean => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Its output joins our stderr: stdout belongs to the test run.
  const stdio = ['ignore', 2, 2] as const;
  const { status } = spawnSync('apt-get', [command, ...APT, ...args], { env, stdio: [...stdio] });
  return status === 0;
};
