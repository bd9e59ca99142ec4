// Follows a recipe as its reader does: in an empty folder that holds only the OpenAPI documents.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../setup/repository.mjs';
import { machineEnvironment } from '../setup/runtime.mjs';
import type { Recipe } from './recipe.ts';
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
  const cwd = mkdtempSync(join(tmpdir(), 'muster-recipe-'));
  try {
    for (const name of DOCUMENTS) writeFileSync(join(cwd, name), readDocument(name));
    let printed = '';
    for (const step of recipe.steps) {
      if (step.kind === 'file') {
        const file = join(cwd, step.path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, step.text);
        continue;
      }
      onStep(step.name);
      const { code, stdout, all } = await runShell(step.commands, { cwd, settings, signal });
      if (code !== 0) {
        throw new RecipeFailure(`"${step.name}" ended with ${code}:\n${all.trimEnd()}`);
      }
      printed = stdout;
    }
    assertOutput(recipe.output, printed);
  } finally {
    rmSync(cwd, { recursive: true, force: true, maxRetries: 3 });
  }
};

/** Some programs reset the colors of a terminal that does not exist. */
const assertOutput = (expected: string, printed: string): void => {
  const actual = stripVTControlCharacters(printed).replaceAll('\r\n', '\n');
  if (actual.trim() === expected.trim()) return;
  throw new RecipeFailure(`It should print\n${expected}but it printed\n${actual.trimEnd()}`);
};

type ShellOptions = { cwd?: string; settings?: Record<string, string>; signal?: AbortSignal };
type ShellResult = { code: number; stdout: string; all: string };

/** Runs commands to their end, or to the first one that fails. Aborting stops them and everything that they have started. */
export const runShell = (
  commands: string,
  { cwd, settings, signal }: ShellOptions = {},
): Promise<ShellResult> =>
  new Promise((resolve, reject) => {
    // Detached: the shell leads a process group, to which a signal can be sent.
    const child = spawn('sh', ['-e', '-c', commands], {
      cwd,
      env: { ...toolchainEnvironment(), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const abort = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    };
    signal?.addEventListener('abort', abort, { once: true });
    let [stdout, all] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      all += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      all += text;
    });
    child.once('error', reject);
    child.once('exit', () => signal?.removeEventListener('abort', abort));
    child.once('close', (code) => resolve({ code: code ?? 1, stdout, all }));
  });

/** Builds of Rust, so that a second run is quick. Git ignores it. */
const CARGO_TARGET = join(ROOT, 'node_modules/.cache/clients/cargo');

/** npm sets these for its children; the npm of a recipe has its own. */
const NPM_SETTINGS =
  /^(?:npm_(?:package|lifecycle|config_local_prefix|config_prefix|command)|INIT_CWD$|NODE_OPTIONS$)/;

/** The machine's own tools: none of the repository's programs is on the path. */
const toolchainEnvironment = (): NodeJS.ProcessEnv => {
  const env: NodeJS.ProcessEnv = machineEnvironment();
  for (const name of Object.keys(env)) if (NPM_SETTINGS.test(name)) delete env[name];
  return {
    ...env,
    CARGO_TARGET_DIR: CARGO_TARGET,
    // Each run has a folder of its own, so that incremental builds only need space.
    CARGO_INCREMENTAL: '0',
    CARGO_PROFILE_DEV_DEBUG: '0',
  };
};
