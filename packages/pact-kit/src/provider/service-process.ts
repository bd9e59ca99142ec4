// The child process that the service runs in: its settings, its output, its end.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { ServiceEntry } from './service-entry.ts';

export type ServiceProcess = {
  child: ChildProcess;
  /** Everything that it wrote, bounded. */
  output: () => string;
  stop: () => Promise<void>;
};

export type ServiceSettings = { dataDir: string; folder: string; secret: string };

/** Nothing else of the caller's environment reaches the service: a set DATABASE_URL must not be verified against. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LANG',
  'SystemRoot',
  'LD_LIBRARY_PATH',
];
const MAX_OUTPUT = 64 * 1024;
const STOP_TIMEOUT_MS = 15_000;

export const startServiceProcess = (
  entry: ServiceEntry,
  settings: ServiceSettings,
): ServiceProcess => {
  const args = [...runtimeArgs(), entry.guard, entry.service, settings.folder];
  const child = spawn(process.execPath, args, {
    env: environmentOf(settings),
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C reaches the kit alone, which stops the service in order.
    detached: process.platform !== 'win32',
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.stdin?.on('error', () => {});
  child.on('error', (error) => collect(Buffer.from(error.message)));
  let stopping: Promise<void> | undefined;
  return { child, output: () => output, stop: () => (stopping ??= stopChild(child)) };
};

const runtimeArgs = (): string[] => ('Deno' in globalThis ? ['run', '--allow-all', '--quiet'] : []);

const environmentOf = (settings: ServiceSettings): NodeJS.ProcessEnv => {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...Object.fromEntries(passed),
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: settings.dataDir,
    DEMO_DATA: '0',
    LOG_LEVEL: 'warn',
    AUTH_JWT_SECRET: settings.secret,
  };
};

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined;

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
};
