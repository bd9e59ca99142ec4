// The recipes and documents of this repository, as files.
import { readFileSync } from 'node:fs';
import { ROOT } from '../setup/repository.mjs';

/** What a consumer's folder holds at the start. */
export const DOCUMENTS = ['openapi.json', 'openapi-3.0.json'] as const;

export const readDocument = (name: (typeof DOCUMENTS)[number]): string =>
  readFileSync(`${ROOT}/contracts/${name}`, 'utf8');

export const readRecipeText = (language: string): string =>
  readFileSync(`${ROOT}/docs/clients/${language}.md`, 'utf8');

/** What every program prints, unless its recipe says otherwise. */
const readSharedOutput = (): string => {
  const [output] = parseBlocks(readRecipeText('README')).outputs;
  if (output === undefined)
    throw new RecipeError('docs/clients/README.md has no block named output.');
  return output;
};

export const readRecipe = (language: string): Recipe => {
  try {
    return parseRecipe(readRecipeText(language), readSharedOutput());
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
const parseBlocks = (markdown: string): { steps: RecipeStep[]; outputs: string[] } => {
  const steps: RecipeStep[] = [];
  const outputs: string[] = [];
  for (const [, language, name, text = ''] of markdown.matchAll(FENCE)) {
    if (name === undefined) continue;
    if (language === 'sh') steps.push({ kind: 'commands', name, commands: text });
    else if (name === 'output') outputs.push(text);
    else steps.push({ kind: 'file', path: name, text });
  }
  return { steps, outputs };
};

/** `output` is what the program prints where the recipe does not say. */
export const parseRecipe = (markdown: string, output: string): Recipe => {
  const { steps, outputs } = parseBlocks(markdown);
  if (outputs.length > 1) {
    throw new RecipeError('A recipe has at most one block named output.');
  }
  if (steps.at(-1)?.kind !== 'commands') {
    throw new RecipeError('A recipe ends with the commands that run its program.');
  }
  return { steps, output: outputs[0] ?? output };
};
