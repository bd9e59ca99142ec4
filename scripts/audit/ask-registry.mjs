// Runs npm's own audit for the packages that are needed to run the service, not for those that build and test it.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ROOT } from '../setup/repository.mjs';

/** @returns {Promise<string>} what npm says, as JSON; its exit code tells findings and failures not apart */
export async function askRegistry() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const child = spawn(npm, ['audit', '--omit=dev', '--json'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  return text(child.stdout);
}
