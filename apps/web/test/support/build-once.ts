// Vitest global setup: the tests open what is built from the sources as they are now.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const COMMANDS = fileURLToPath(new URL('../../../../scripts/run.mjs', import.meta.url));

export const setup = (): void => {
  execFileSync(process.execPath, [COMMANDS, 'build:web', '--only'], { stdio: 'inherit' });
};
