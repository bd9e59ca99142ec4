// `node scripts/run.mjs clean-machine`: the two commands of the README on a Debian that has Node.js, npm and nothing else.
// Exit codes: 0 both work, 1 one does not.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyProject } from '../runtimes/prove-clone.ts';
import { report, runScript, SetupError } from '../setup/repository.mjs';
import type { Machine } from './make-machine.ts';
import { makeMachine } from './make-machine.ts';

const USAGE = `node scripts/run.mjs clean-machine [<pattern> ...]

Makes a clean Debian by debootstrap, copies the repository into it, and runs "npm start" until the service is ready,
then "npm test" with the patterns. Needs root on Debian.`;

/** Not below a folder that is closed to the user whom PostgreSQL runs as. */
const PROJECT = '/srv/muster';
const START_MS = 600_000;
/** The most that a start from a clone may install. */
const MOST_MEGABYTES = 450;

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  report('Making a clean Debian …');
  const machine = makeMachine();
  const stop = () => {
    machine.remove();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    mkdirSync(join(machine.root, PROJECT), { recursive: true });
    copyProject(join(machine.root, PROJECT));
    await provePrograms(machine);
    await proveStart(machine);
    return await proveTests(machine, positionals);
  } finally {
    machine.remove();
  }
};

/** Otherwise it would prove nothing. */
const provePrograms = async (machine: Machine): Promise<void> => {
  const found =
    'command -v chromium chromium-headless-shell google-chrome nginx postgres psql git python3';
  const { exited } = machine.start(PROJECT, `! ${found} && node --version && npm --version`);
  if ((await exited) !== 0)
    throw new SetupError('The clean machine is not clean, or lacks Node.js.');
};

const proveStart = async (machine: Machine): Promise<void> => {
  const startedAt = performance.now();
  const { child, exited } = machine.start(PROJECT, 'exec npm start');
  let output = '';
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
        process.stderr.write(chunk);
        const url = /ready at (http:\/\/\S+)/.exec(output)?.[1];
        if (url) resolve(url);
      });
    }
  });
  const patience = AbortSignal.timeout(START_MS);
  const late = new Promise<void>((resolve) => patience.addEventListener('abort', () => resolve()));
  const url = await Promise.race([ready, exited.then(() => ''), late.then(() => '')]);
  const isReady = url !== '' && (await fetch(`${url}/readyz`)).ok;
  // The first process of the namespace dies with this one, and takes all others with it.
  child.kill('SIGKILL');
  await exited;
  if (!isReady) throw new SetupError('"npm start" was not ready on a clean machine (see above).');
  report(`"npm start" was ready after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s.`);
  proveSize(join(machine.root, PROJECT));
};

const proveSize = (project: string): void => {
  const size = execFileSync('du', ['-sm', 'node_modules'], { cwd: project, encoding: 'utf8' });
  const megabytes = Number.parseInt(size, 10);
  report(`It installed ${megabytes} MB.`);
  if (megabytes > MOST_MEGABYTES) {
    throw new SetupError(`"npm start" installs ${megabytes} MB, at most ${MOST_MEGABYTES} MB.`);
  }
  const forbidden = ['prisma', '@prisma/engines', 'typescript', 'vitest', 'playwright-core'];
  const found = forbidden.filter((name) => existsSync(join(project, 'node_modules', name)));
  if (found.length > 0) {
    throw new SetupError(`"npm start" installs what it does not need: ${found.join(', ')}.`);
  }
};

const proveTests = async (machine: Machine, patterns: readonly string[]): Promise<number> => {
  const command = ['exec npm test --', ...patterns.map((pattern) => `'${pattern}'`)].join(' ');
  const { child, exited } = machine.start(PROJECT, command);
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  return exited;
};

await runScript(main);
