// Vitest global setup: the tests open what is built from the sources as they are now.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(new URL('../../../../scripts/build-web.mjs', import.meta.url));

export const setup = (): void => {
  execFileSync(process.execPath, [BUILD, '--only'], { stdio: 'inherit' });
};
