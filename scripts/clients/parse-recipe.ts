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

export class RecipeError extends Error {}

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
