// Processes of the service on one database behind a real nginx: one service to clients.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@muster/database/testing';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';

export type Cluster = {
  /** That of nginx. */
  baseUrl: string;
  /** May change while a test runs. */
  services: ServiceProcess[];
  /** Ends one process in the given way and starts a replacement. */
  replace(index: number, end: (service: ServiceProcess) => Promise<unknown>): Promise<void>;
  /** The error logs of nginx and the processes. */
  readErrors(): Promise<string>;
  /** Resolves with the exit codes of the processes. */
  stop(): Promise<(number | null)[]>;
};

const PROCESSES = 3;

export const startCluster = async (environment: Record<string, string>): Promise<Cluster> => {
  const ports = await Promise.all(Array.from({ length: PROCESSES }, findFreePort));
  const start = (port: number) =>
    startServiceProcess({ ...environment, PORT: String(port), TRUST_PROXY: '1' });
  const services = await Promise.all(ports.map(start));
  const nginx = await startNginx(ports);
  return {
    baseUrl: nginx.baseUrl,
    services,
    replace: async (index, end) => {
      const [service, port] = [services[index], ports[index]];
      if (!service || port === undefined) throw new Error(`There is no process ${index}.`);
      await end(service);
      services[index] = await start(port);
    },
    readErrors: async () =>
      [await nginx.readErrors(), ...services.map((service) => service.readErrors())].join('\n'),
    stop: async () => {
      const codes = await Promise.all(services.map((service) => service.stop()));
      await nginx.stop();
      return codes;
    },
  };
};

// A real nginx with the documented configuration, in front of processes of a test.

type Nginx = {
  baseUrl: string;
  /** Lines of its error log; a healthy run has none above `warn`. */
  readErrors(): Promise<string>;
  stop(): Promise<void>;
};

const CONFIGURATION = join(import.meta.dirname, '../../../../docs/scaling/nginx.conf');
const UPSTREAM = /^( *server )127\.0\.0\.1:\d+( .*;)$/gm;

/** `ports` are those of the processes, at most as many as the configuration has. */
const startNginx = async (ports: readonly number[]): Promise<Nginx> => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-nginx-'));
  // Started by root, its workers run as another user.
  await mkdir(join(folder, 'temporary'), { mode: 0o777 });
  const port = await findFreePort();
  const errors = join(folder, 'error.log');
  const configuration = join(folder, 'nginx.conf');
  await writeFile(configuration, await adapt({ folder, ports, port }));
  const { child, exited } = runNginx(['-c', configuration, '-e', errors, '-g', 'daemon off;']);
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

/** Folders of administrators are often not in the PATH of others. */
const FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

/** Rejects with one sentence without nginx: tests then fail; they are never skipped. */
const runNginx = (args: readonly string[]): { child: ChildProcess; exited: Promise<unknown> } => {
  const { NGINX_PATH, PATH = '' } = process.env;
  const child = spawn(NGINX_PATH || 'nginx', args, {
    env: { ...process.env, PATH: [PATH, ...FOLDERS].join(delimiter) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit').catch((cause: unknown) => {
    throw new Error(NO_NGINX, { cause });
  });
  return { child, exited };
};

const NO_NGINX =
  'No nginx found: install it (Debian: apt-get install nginx-light), or set NGINX_PATH to the program.';

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

/** Also ends when the signal aborts. */
const waitUntilAnswered = async (url: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const answer = await fetch(url, { signal }).catch(() => null);
    if (answer?.ok) return;
    await delay(20);
  }
};
