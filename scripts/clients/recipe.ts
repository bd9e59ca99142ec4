// The recipes and documents of this repository, as files.
import { readFileSync } from 'node:fs';
import { ROOT } from '../setup/repository.mjs';

/** What a consumer's folder holds at the start. */
export const DOCUMENTS = ['openapi.json', 'openapi-3.0.json'] as const;

export const readDocument = (name: (typeof DOCUMENTS)[number]): string =>
  readFileSync(`${ROOT}/contracts/${name}`, 'utf8');

export const readRecipeText = (language: string): string =>
  readFileSync(`${ROOT}/docs/clients/${language}.md`, 'utf8');

export const readRecipe = (language: string): Recipe => {
  try {
    return parseRecipe(readRecipeText(language));
  } catch (error) {
    if (!(error instanceof RecipeError)) throw error;
    throw new RecipeError(`docs/clients/${language}.md: ${error.message}`);
  }
};

// Reads a recipe: the fenced blocks of docs/clients/<language>.md that have a name, in their order.

/** A file to write, or commands for one shell. */
export type RecipeStep =
  | { kind: 'file'; path: string; text: string }
  | { kind: 'commands'; name: string; commands: string };

export type Recipe = {
  steps: readonly RecipeStep[];
  /** What the last commands print. */
  output: string;
};

class RecipeError extends Error {}

const FENCE = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

/**
 * ` ```sh name ` are commands, ` ```text output ` is what they print in the end, any other block with a
 * name is a file of that name. A block without a name only explains.
 */
export const parseRecipe = (markdown: string): Recipe => {
  const steps: RecipeStep[] = [];
  const outputs: string[] = [];
  for (const [, language, name, text = ''] of markdown.matchAll(FENCE)) {
    if (name === undefined) continue;
    if (language === 'sh') steps.push({ kind: 'commands', name, commands: text });
    else if (name === 'output') outputs.push(text);
    else steps.push({ kind: 'file', path: name, text });
  }
  const [output] = outputs;
  if (output === undefined || outputs.length > 1) {
    throw new RecipeError('A recipe has exactly one block named output.');
  }
  if (steps.at(-1)?.kind !== 'commands') {
    throw new RecipeError('A recipe ends with the commands that run its program.');
  }
  return { steps, output };
};
