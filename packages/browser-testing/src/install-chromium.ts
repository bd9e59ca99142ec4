// Brings Debian's Chromium to a machine without a browser, where that is ours to do: as root, on Debian.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowser } from './find-browser.ts';

/** Another installation may be under way: apt then waits for its lock instead of failing. */
const APT = ['--quiet=2', '--option=DPkg::Lock::Timeout=600'];

const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** The browser's path. Throws the sentence of `findBrowser` where there is none and none can be installed. */
export const provideBrowser = (): string => {
  try {
    return findBrowser();
  } catch (error) {
    if (process.env.CHROME_PATH || !canInstall()) throw error;
    installChromium();
    return findBrowser();
  }
};

const installChromium = (): void => {
  process.stderr.write('No browser found: installing Chromium for the tests …\n');
  runApt('update');
  runApt('install', '--yes', '--no-install-recommends', 'chromium');
};

const runApt = (command: string, ...args: string[]): void => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Its output joins our stderr: stdout belongs to the test run.
  const { status } = spawnSync('apt-get', [command, ...APT, ...args], {
    env,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    throw new Error(
      `No browser found, and "apt-get ${command}" failed (see above): install Chromium, or set CHROME_PATH to the program of a Chromium or Chrome.`,
    );
  }
};
