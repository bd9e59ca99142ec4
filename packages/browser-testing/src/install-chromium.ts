// Brings a browser to a machine without one: Debian's Chromium as root on Debian, elsewhere on Linux one of the package registry.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPLICATIONS, findBrowser, PACKAGED_FOLDER } from './find-browser.ts';

/** Another installation may be under way: apt then waits for its lock instead of failing. */
const APT = ['--quiet=2', '--option=DPkg::Lock::Timeout=600'];

/** A headless Chromium with the libraries that it needs, compressed: 68 MB to download, 400 MB on disk. */
const PACKAGE = '@sparticuz/chromium@147.0.0';

/** The browser's path. Throws the sentence of `findBrowser` where there is none and none can be installed. */
export const provideBrowser = (packagedFolder = PACKAGED_FOLDER): string => {
  const packaged = join(packagedFolder, 'browser');
  const find = () => findBrowser(process.env, [...APPLICATIONS, packaged]);
  try {
    return find();
  } catch (error) {
    if (process.env.CHROME_PATH) throw error;
    if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) installFromDebian();
    else if (process.platform === 'linux' && process.arch === 'x64')
      installFromRegistry(packagedFolder);
    else throw error;
    return find();
  }
};

const installFromDebian = (): void => {
  say('No browser found: installing Chromium for the tests …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', ...APT], env);
  const install = (name: string) =>
    run('apt-get', ['install', ...APT, '--yes', '--no-install-recommends', name], env);
  try {
    // Smaller and faster than the whole browser, which is all that releases before Debian 12 have.
    install('chromium-headless-shell');
  } catch {
    install('chromium');
  }
};

const installFromRegistry = (folder: string): void => {
  say(`No browser found: installing ${PACKAGE} for the tests …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  run('npm', ['install', '--prefix', folder, ...quiet, PACKAGE], process.env);
  // It unpacks into the folder for temporary files; its libraries only where it takes the machine for one of AWS.
  const unpacked = { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
  const program = join(folder, 'unpack.mjs');
  writeFileSync(
    program,
    `import chromium from '@sparticuz/chromium';\nawait chromium.executablePath();\n`,
  );
  run(process.execPath, [program], { ...process.env, ...unpacked });
  writeFileSync(join(folder, 'browser'), START, { mode: 0o755 });
};

/** The machine's own libraries come first: they fit its C library. */
const START = `#!/bin/sh
folder=$(dirname "$0")
export LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder/al2023/lib"
export FONTCONFIG_PATH="\${FONTCONFIG_PATH:-$folder/fonts}"
exec "$folder/chromium" "$@"
`;

/** Its output joins our stderr: stdout belongs to the test run. */
const run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv): void => {
  const { status } = spawnSync(command, args, { env, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  throw new Error(
    `No browser found, and "${command} ${args[0]}" failed (see above): install Chromium, or set CHROME_PATH to the program of a Chromium or Chrome.`,
  );
};

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
