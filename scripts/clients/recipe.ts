// Reads a recipe: the named blocks of docs/clients/<language>.md.
import { readFileSync } from 'node:fs';
import { ROOT } from '../setup/repository.mjs';

/** What a consumer's folder holds at the start. */
export const DOCUMENTS = ['openapi.json', 'openapi-3.0.json', 'openapi-admin.json'] as const;

export const readDocument = (name: (typeof DOCUMENTS)[number]): string =>
  readFileSync(`${ROOT}/contracts/${name}`, 'utf8');

export const readRecipeText = (language: string): string =>
  readFileSync(`${ROOT}/docs/clients/${language}.md`, 'utf8');

/** A file to write, or commands for one shell. */
type RecipeStep =
  | { kind: 'file'; path: string; text: string }
  | { kind: 'commands'; name: string; commands: string };

export type Recipe = {
  steps: readonly RecipeStep[];
  /** What the last commands print. */
  output: string;
};

/** The page that explains the environment and the output of a recipe's program. */
export const overviewOf = (language: string): 'README' | 'admin' =>
  language.startsWith('admin-') ? 'admin' : 'README';

/** The overview has the output of all programs whose recipe names no other. */
export const readRecipe = (language: string): Recipe => {
  const overview = overviewOf(language);
  const [shared] = parseBlocks(readRecipeText(overview)).outputs;
  if (shared === undefined) {
    throw new Error(`docs/clients/${overview}.md has no block named output.`);
  }
  return parseRecipe(readRecipeText(language), shared);
};

/** `output` is what the program prints where the recipe does not say. */
export const parseRecipe = (markdown: string, output: string): Recipe => {
  const { steps, outputs } = parseBlocks(markdown);
  if (outputs.length > 1) throw new Error('A recipe has at most one block named output.');
  if (steps.at(-1)?.kind !== 'commands') {
    throw new Error('A recipe ends with the commands that run its program.');
  }
  return { steps, output: outputs[0] ?? output };
};

const FENCE = /^```(\w+) (\S+)\n([\s\S]*?)^```$/gm;

/**
 * ` ```sh name ` are commands, ` ```text output ` is what they print in the end, any other block with a
 * name is a file of that name. A block without a name only explains.
 */
const parseBlocks = (markdown: string): { steps: RecipeStep[]; outputs: string[] } => {
  const steps: RecipeStep[] = [];
  const outputs: string[] = [];
  for (const [, language, name = '', text = ''] of markdown.matchAll(FENCE)) {
    if (language === 'sh') steps.push({ kind: 'commands', name, commands: text });
    else if (name === 'output') outputs.push(text);
    else steps.push({ kind: 'file', path: name, text });
  }
  return { steps, outputs };
};
