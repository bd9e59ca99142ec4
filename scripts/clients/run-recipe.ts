// Follows a recipe as its reader does: in an empty folder that holds only the OpenAPI documents.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../setup/repository.mjs';
import { machineEnvironment } from '../setup/runtime.mjs';
import type { Recipe, RecipeStep } from './recipe.ts';
import { DOCUMENTS, readDocument } from './recipe.ts';

type RecipeRun = {
  recipe: Recipe;
  /** What the program reads from its environment. */
  settings: Record<string, string>;
  onStep: (name: string) => void;
  signal: AbortSignal;
};

/** A step of a recipe failed; the message has its output. */
export class RecipeFailure extends Error {}

export const runRecipe = async ({ recipe, settings, onStep, signal }: RecipeRun): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-recipe-'));
  const env = { ...toolchainEnvironment(), ...settings };
  try {
    for (const name of DOCUMENTS) writeFileSync(join(folder, name), readDocument(name));
    let printed = '';
    for (const step of recipe.steps) {
      if (step.kind === 'file') {
        const file = join(folder, step.path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, step.text);
      } else {
        onStep(step.name);
        printed = await runStep(step, { cwd: folder, env, signal });
      }
    }
    assertOutput(recipe.output, printed);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

const runStep = async (
  { name, commands }: RecipeStep & { kind: 'commands' },
  options: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<string> => {
  const { code, stdout, all } = await runCommand('sh', ['-e', '-c', commands], options);
  options.signal.throwIfAborted();
  if (code !== 0) throw new RecipeFailure(`"${name}" ended with ${code}:\n${all.trimEnd()}`);
  return stdout;
};

/** Some programs reset the colours of a terminal that is none. */
const assertOutput = (expected: string, printed: string): void => {
  const actual = stripVTControlCharacters(printed).replaceAll('\r\n', '\n');
  if (actual.trim() === expected.trim()) return;
  throw new RecipeFailure(`It should print\n${expected}but it printed\n${actual.trimEnd()}`);
};

// Runs one program of a recipe to its end and keeps what it printed.

type CommandResult = { code: number; stdout: string; all: string };

type CommandOptions = { cwd?: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal };

const HAS_GROUPS = process.platform !== 'win32';

/** A program that cannot be started answers 127, as in a shell. Aborting ends it and all it started. */
export const runCommand = (
  command: string,
  args: readonly string[],
  { signal, ...options }: CommandOptions = {},
): Promise<CommandResult> =>
  new Promise((resolve) => {
    // A group of its own: when the shell is interrupted, the build must stop as well.
    const child = spawn(command, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: HAS_GROUPS,
    });
    const abort = () => endGroup(child);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    let [stdout, all] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      all += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      all += text;
    });
    const finish = (code: number) => {
      signal?.removeEventListener('abort', abort);
      resolve({ code, stdout, all });
    };
    child.once('error', (error) => {
      all += error.message;
      finish(127);
    });
    child.once('close', (code) => finish(code ?? 1));
  });

const endGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 'SIGTERM');
  } catch (error) {
    // It ended by itself a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

// Where the toolchains keep what they download and build, so that a second run is quick.

/** Ignored by git, and gone with node_modules. */
const CACHE = join(ROOT, 'node_modules/.cache/clients');

/** npm tells its children about the package that it runs in; the npm of a recipe has its own. */
const isNpmSetting = (name: string): boolean =>
  /^npm_(?:package|lifecycle|config_local_prefix|config_prefix|command)/.test(name) ||
  name === 'INIT_CWD' ||
  name === 'NODE_OPTIONS';

/** The machine's own tools: none of the repository's programs is on the path. */
export const toolchainEnvironment = (): NodeJS.ProcessEnv => {
  const inherited = Object.entries(machineEnvironment()).filter(([name]) => !isNpmSetting(name));
  return {
    ...Object.fromEntries(inherited),
    npm_config_cache: join(CACHE, 'npm'),
    npm_config_update_notifier: 'false',
    PIP_CACHE_DIR: join(CACHE, 'pip'),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    GOMODCACHE: join(CACHE, 'go/modules'),
    GOCACHE: join(CACHE, 'go/build'),
    // Modules are read-only by default, and `npm ci` could not remove them.
    GOFLAGS: `${process.env.GOFLAGS ?? ''} -modcacherw`.trim(),
    MAVEN_OPTS: `${process.env.MAVEN_OPTS ?? ''} -Dmaven.repo.local=${join(CACHE, 'maven')}`.trim(),
    CARGO_TARGET_DIR: join(CACHE, 'cargo'),
    // Every run has a folder of its own: what only the same folder could use again would pile up.
    CARGO_INCREMENTAL: '0',
    CARGO_PROFILE_DEV_DEBUG: '0',
  };
};
