// Follows a recipe as its reader does: in an empty folder that holds only the OpenAPI documents.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { toolchainEnvironment } from './caches.ts';
import type { Recipe, RecipeStep } from './parse-recipe.ts';
import { DOCUMENTS, readDocument } from './read-recipe.ts';
import { runCommand } from './run-command.ts';

export type RecipeRun = {
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
      if (step.kind === 'file') writeStep(folder, step);
      else {
        onStep(step.name);
        printed = await runStep(step, { cwd: folder, env, signal });
      }
    }
    assertOutput(recipe.output, printed);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

const writeStep = (folder: string, { path, text }: RecipeStep & { kind: 'file' }): void => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
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
