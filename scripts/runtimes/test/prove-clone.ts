// A fresh clone on a machine with one JavaScript runtime: the commands of the README install it and start the service.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { listRepositoryFiles } from '../../import-rules/source-files.mjs';
import { ROOT, report } from '../../setup/repository.mjs';
import type { ProofFolder, ServiceProcess } from '../service-process.ts';
import { makeProofFolder, startService } from '../service-process.ts';
import { checkPages, checkSignIn, MOST_STOP_MS, readCredentials } from './checks.ts';
import type { Runtime, RuntimeName } from './install-runtimes.ts';

/** As the README names them; the first word is the program. */
export const CLONE_COMMANDS: Partial<Record<RuntimeName, string[][]>> = {
  node22: [['npm', 'start']],
  bun: [
    ['bun', 'install'],
    ['bun', 'run', 'start'],
  ],
  deno: [
    ['deno', 'install'],
    ['deno', 'task', 'start'],
  ],
};
/** What `npm start` installs at most. */
const MOST_MEGABYTES = 460;

export const proveClone = async (
  { name, command }: Runtime,
  commands: string[][],
): Promise<void> => {
  const folder = makeProofFolder();
  onTestFinished(folder.remove);
  const cwd = join(folder.root, 'clone');
  const tools = join(folder.root, 'tools');
  mkdirSync(cwd);
  copyProject(cwd);
  linkTools(tools, name === 'node22' ? 'node' : name, command);
  const env = {
    DENO_TLS_CA_STORE: 'system,mozilla',
    ...pickNetworkSettings(),
    PATH: tools,
    BUN_INSTALL_CACHE_DIR: join(folder.root, 'cache/bun'),
    DENO_DIR: join(folder.root, 'cache/deno'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: folder.dataDir,
  };
  const start = commands.at(-1) ?? [];
  for (const [program = '', ...args] of commands.slice(0, -1)) {
    await promisify(execFile)(join(tools, program), args, { cwd, env, maxBuffer: 2 ** 26 });
  }
  const [program = '', ...args] = start;
  const service = await startService({ command: join(tools, program), args, cwd }, env);
  onTestFinished(() => service.signalAll('SIGKILL'));
  report(`${name}: a fresh clone was ready after ${(service.readyMs / 1_000).toFixed(1)} s`);
  await checkPages(service);
  await checkSignIn(service, readCredentials(service, 'output'));
  await checkSamples(service);
  await checkInterrupt(service, folder);
  if (program === 'npm') checkSize(cwd);
};

const checkSize = (cwd: string): void => {
  const size = execFileSync('du', ['-sm', '--exclude=.cache', 'node_modules'], {
    cwd,
    encoding: 'utf8',
  });
  const megabytes = Number.parseInt(size, 10);
  assert.ok(megabytes <= MOST_MEGABYTES, `"npm start" installed ${megabytes} MB`);
  const unneeded = ['prisma', '@prisma/engines', 'typescript', 'vitest', 'playwright-core'];
  const found = unneeded.filter((name) => existsSync(join(cwd, 'node_modules', name)));
  assert.deepEqual(found, [], '"npm start" installed what only development needs');
};

/** How a machine reaches the package registry: the settings in HOME, proxies, certificates and a mirror. */
const NETWORK_SETTING = /^(HOME|\w+_PROXY|\w*CERT\w*|DENO_TLS_CA_STORE|NPM_CONFIG_REGISTRY)$/i;

const pickNetworkSettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && NETWORK_SETTING.test(name) ? [[name, value]] : [],
    ),
  );

/** The requests that the welcome shows. */
const checkSamples = async ({ welcome }: ServiceProcess): Promise<void> => {
  const samples = [
    ...welcome.matchAll(/"Authorization: Bearer (\S+)" '(http\S+\/v1\/history\S+)'/g),
  ];
  assert.notEqual(samples.length, 0, `the welcome shows no request: ${welcome}`);
  for (const [, token, url = ''] of samples) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const { transactions } = (await answer.json()) as { transactions?: unknown[] };
    assert.ok(transactions?.length, `GET ${url} is ${answer.status} and has no versions`);
  }
};

/** Ctrl-C in a terminal, which reaches the whole process group. */
const checkInterrupt = async (service: ServiceProcess, folder: ProofFolder): Promise<void> => {
  service.signalAll('SIGINT');
  const deadline = wait(MOST_STOP_MS, 'no end' as const, { ref: false });
  const end = await Promise.race([service.ended, deadline]);
  assert.notEqual(end, 'no end', `Ctrl-C: it still runs; ${service.errors()}`);
  while (folder.findPostgres() !== null) {
    assert.notEqual(await Promise.race([deadline, wait(50)]), 'no end', 'PostgreSQL still runs');
  }
};

/** Fills a folder as a clone would, with changes that are not committed, and without what git ignores. */
const copyProject = (folder: string): void => {
  for (const path of listRepositoryFiles(ROOT)) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
  }
};

const RUNTIMES = /^(?:node|nodejs|npx|corepack|yarn|yarnpkg|pnpm|pnpx|bun|bunx|deno)$/;

/** A folder for PATH with links to the runtime and to all programs of the machine that are no JavaScript runtime. */
const linkTools = (folder: string, name: string, command: string): void => {
  mkdirSync(folder);
  symlinkSync(command, join(folder, name));
  const linked = new Set<string>();
  for (const source of (process.env.PATH ?? '').split(delimiter).filter(existsSync)) {
    for (const tool of readdirSync(source)) {
      if (RUNTIMES.test(tool) || linked.has(tool) || (tool === 'npm' && name !== 'node')) continue;
      linked.add(tool);
      symlinkSync(join(source, tool), join(folder, tool));
    }
  }
};
