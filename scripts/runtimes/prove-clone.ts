// A fresh clone on a machine with one runtime and without Node.js: the two commands of the README install it and serve.
import assert from 'node:assert/strict';
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listRepositoryFiles } from '../import-rules/source-files.mjs';
import { runProgram } from '../run/run-program.mjs';
import { ROOT, report } from '../setup/repository.mjs';
import { checkPages, checkSignIn, MOST_STOP_MS, readCredentials } from './checks.ts';
import type { Runtime, RuntimeName } from './install-runtimes.ts';
import type { ProofFolder, ServiceProcess } from './service-process.ts';
import { makeProofFolder, startService } from './service-process.ts';

type Program = { command: string; args: string[]; cwd: string; env: Record<string, string> };
type Commands = { install: string[]; start: string[] };

/** As the README names them. */
const COMMANDS: Partial<Record<RuntimeName, Commands>> = {
  bun: { install: ['install'], start: ['run', 'start'] },
  deno: { install: ['install'], start: ['task', 'start'] },
};

/** The first start builds the web app and makes a cluster. */
const PATIENCE_MS = 300_000;

/** Answers what is wrong, one sentence each; nothing for a runtime that is no package manager. */
export const proveClone = async (runtime: Runtime): Promise<string[]> => {
  const commands = COMMANDS[runtime.name];
  if (!commands) return [];
  const folder = makeProofFolder();
  try {
    await prove(runtime, commands, folder);
    return [];
  } catch (error) {
    return [`a fresh clone: ${(error as Error).message}`];
  } finally {
    folder.remove();
  }
};

const prove = async (runtime: Runtime, commands: Commands, folder: ProofFolder): Promise<void> => {
  const { name, command } = runtime;
  const clone = join(folder.root, 'clone');
  mkdirSync(clone);
  copyProject(clone);
  linkTools(join(folder.root, 'tools'), runtime);
  const environment = environmentOf(folder);
  const startedAt = performance.now();
  await install(folder, { command, args: commands.install, cwd: clone, env: environment });
  const installedMs = performance.now() - startedAt;
  const launch = { command, args: commands.start, cwd: clone };
  const service = await startService(launch, environment, PATIENCE_MS);
  report(
    `${name}: a fresh clone was installed in ${inSeconds(installedMs)} and served after ${inSeconds(service.readyMs)}`,
  );
  await checkPages(service);
  await checkSignIn(service, readCredentials(service, 'output'));
  await checkSamples(service);
  await checkInterrupt(service, folder);
};

/** An installer names every package: it is heard only when it fails. */
const install = async ({ root }: ProofFolder, program: Program): Promise<void> => {
  const log = join(root, 'install.log');
  const file = openSync(log, 'w');
  const code = await runProgram({ ...program, stdio: ['ignore', file, file] });
  closeSync(file);
  const said = readFileSync(log, 'utf8').slice(-2_000);
  assert.equal(code, 0, `${program.args.join(' ')} ended with ${code}: ${said}`);
};

/** By which a machine reaches the package registry: the home has its settings; beside them proxies, certificates and a mirror. */
const NETWORK_SETTING = /^(HOME|\w+_PROXY|\w*CERT\w*|DENO_TLS_CA_STORE|NPM_CONFIG_REGISTRY)$/i;

/** What is installed and kept stays in the folder. */
const environmentOf = ({ root, dataDir }: ProofFolder): Record<string, string> => ({
  DENO_TLS_CA_STORE: 'system,mozilla',
  ...pickNetworkSettings(),
  PATH: join(root, 'tools'),
  BUN_INSTALL_CACHE_DIR: join(root, 'cache/bun'),
  DENO_DIR: join(root, 'cache/deno'),
  PORT: '0',
  LOG_LEVEL: 'warn',
  DATA_DIR: dataDir,
});

/** What this machine needs to reach its networks, and where the settings of npm are. */
export const pickNetworkSettings = (): Record<string, string> => {
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && NETWORK_SETTING.test(name)) settings[name] = value;
  }
  return settings;
};

/** The pages that the welcome tells people to ask for. */
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

/** Ctrl-C in a terminal, which reaches all that was started. */
const checkInterrupt = async (service: ServiceProcess, folder: ProofFolder): Promise<void> => {
  service.signalAll('SIGINT');
  const deadline = wait(MOST_STOP_MS, 'no end' as const, { ref: false });
  const end = await Promise.race([service.ended, deadline]);
  assert.notEqual(end, 'no end', `Ctrl-C: it still runs; ${service.errors()}`);
  while (folder.findPostgres() !== null) {
    assert.notEqual(await Promise.race([deadline, wait(50)]), 'no end', 'PostgreSQL still runs');
  }
};

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

// The files of the repository in another folder, as a fresh clone of it would hold them.

/** What is not committed yet comes along; what git ignores does not. */
export const copyProject = (folder: string): void => {
  for (const path of listRepositoryFiles(ROOT)) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
  }
};

// The tools of a machine on which Node.js was never installed.

/** They often share a folder with everything else, so that the folder cannot be left out. */
const OF_NODE: ReadonlySet<string> = new Set([
  'node',
  'nodejs',
  'npm',
  'npx',
  'corepack',
  'yarn',
  'yarnpkg',
  'pnpm',
  'pnpx',
  'bun',
  'bunx',
  'deno',
]);

/** Fills a folder with links to the runtime and to all that is on the path and is no JavaScript runtime: a path by itself. */
const linkTools = (folder: string, { name, command }: Runtime): void => {
  mkdirSync(folder, { recursive: true });
  symlinkSync(command, join(folder, name));
  const linked = new Set<string>(OF_NODE);
  for (const source of (process.env.PATH ?? '').split(delimiter)) {
    for (const tool of listTools(source)) {
      if (linked.has(tool)) continue;
      linked.add(tool);
      symlinkSync(join(source, tool), join(folder, tool));
    }
  }
};

/** Folders of the path need not exist. */
const listTools = (folder: string): string[] => {
  try {
    return folder === '' ? [] : readdirSync(folder);
  } catch {
    return [];
  }
};
