// Vite's development server for apps/web: it hands everything else on to the service.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, report } from '../setup/repository.mjs';
import { findRuntime, projectEnvironment } from '../setup/runtime.mjs';

/** Runs beside the service, and gets the terminal's signals like it. */
export function runVite() {
  const child = spawn(
    findRuntime(),
    [join(ROOT, 'node_modules/vite/bin/vite.js'), '--clearScreen', 'false'],
    { cwd: join(ROOT, 'apps/web'), env: projectEnvironment(), stdio: ['ignore', 2, 2] },
  );
  child.once('error', (error) => report(`Could not start Vite: ${error.message}.`));
  return { stop: () => child.kill('SIGTERM') };
}
