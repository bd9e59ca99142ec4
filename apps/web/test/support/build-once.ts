// Vitest global setup: builds the web app from the current sources.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const COMMANDS = fileURLToPath(new URL('../../../../scripts/run.mjs', import.meta.url));

export const setup = (): void => {
  execFileSync(process.execPath, [COMMANDS, 'build:web', '--only'], { stdio: 'inherit' });
};
