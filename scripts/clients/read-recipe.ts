// The recipes and documents of this repository, as files.
import { readFileSync } from 'node:fs';
import { ROOT } from '../setup/repository.mjs';
import type { Recipe } from './parse-recipe.ts';
import { parseRecipe, RecipeError } from './parse-recipe.ts';

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
