// A real nginx with the configuration that is documented, before processes of a test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@muster/database/testing';

export type Nginx = {
  baseUrl: string;
  /** Lines of its log of errors, of which a healthy run has none above `warn`. */
  readErrors(): Promise<string>;
  stop(): Promise<void>;
};

const CONFIGURATION = join(import.meta.dirname, '../../../../docs/scaling/nginx.conf');
const UPSTREAM = /^( *server )127\.0\.0\.1:\d+( .*;)$/gm;

/** `ports` are those of the processes, as many as the configuration names or fewer. */
export const startNginx = async (ports: readonly number[]): Promise<Nginx> => {
  const program = findNginx(process.env);
  const folder = await mkdtemp(join(tmpdir(), 'muster-nginx-'));
  // Started by root, its workers are another user.
  await mkdir(join(folder, 'temporary'), { mode: 0o777 });
  const port = await findFreePort();
  const errors = join(folder, 'error.log');
  const configuration = join(folder, 'nginx.conf');
  await writeFile(configuration, await adapt({ folder, ports, port }));
  const child = spawn(program, ['-c', configuration, '-e', errors, '-g', 'daemon off;'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit');
  const readErrors = () => readFile(errors, 'utf8');
  const begun = new AbortController();
  await Promise.race([
    waitUntilAnswered(`http://127.0.0.1:${port}/healthz`, begun.signal),
    exited.then(async () => {
      throw new Error(`nginx ended before it answered: ${await readErrors()}`);
    }),
  ]).finally(() => begun.abort());
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    readErrors,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
};

/** Throws one sentence that says what to install. Tests fail without it; they are never skipped. */
const findNginx = ({ NGINX_PATH, PATH = '' }: NodeJS.ProcessEnv): string => {
  const folders = [...PATH.split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];
  const candidates = NGINX_PATH ? [NGINX_PATH] : folders.map((folder) => join(folder, 'nginx'));
  const found = candidates.find(isProgram);
  if (found) return found;
  throw new Error(
    'No nginx found: install it (Debian: apt-get install nginx-light), or set NGINX_PATH to the program.',
  );
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

type Place = { folder: string; ports: readonly number[]; port: number };

/** The documented file, with other addresses and with its files in a folder of the test. */
const adapt = async ({ folder, ports, port }: Place): Promise<string> => {
  const documented = await readFile(CONFIGURATION, 'utf8');
  const waiting = [...ports];
  const adapted = documented
    .replace(UPSTREAM, (_, before: string, after: string) => {
      const next = waiting.shift();
      return next === undefined ? '' : `${before}127.0.0.1:${next}${after}`;
    })
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll('/var/log/nginx/', `${folder}/`)
    .replace('/run/nginx.pid', `${folder}/nginx.pid`)
    .replace(
      'http {',
      `http {\n${TEMPORARY.map((name) => `${name}_temp_path ${folder}/temporary/${name};`).join('\n')}`,
    );
  if (waiting.length > 0)
    throw new Error(`The configuration names too few processes: ${waiting} are left.`);
  return adapted;
};

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** Ends, too, when the signal says that nobody waits any more. */
const waitUntilAnswered = async (url: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const answer = await fetch(url, { signal }).catch(() => null);
    if (answer?.ok) return;
    await delay(20);
  }
};
