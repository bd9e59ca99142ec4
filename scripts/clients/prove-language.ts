// One language: is its toolchain here, and does its recipe do what it says?
import { toolchainEnvironment } from './caches.ts';
import type { Language } from './languages.ts';
import { makeSettings } from './make-settings.ts';
import { readRecipe } from './read-recipe.ts';
import { runCommand } from './run-command.ts';
import { RecipeFailure, runRecipe } from './run-recipe.ts';
import type { Service } from './start-service.ts';

export type Proof = {
  language: Language;
  outcome: 'passed' | 'failed' | 'left out';
  /** Why it failed, or which program is not here. */
  reason?: string;
  seconds: number;
};

export type Progress = (sentence: string) => void;

export const proveLanguage = async (
  language: Language,
  { service, report, signal }: { service: Service; report: Progress; signal: AbortSignal },
): Promise<Proof> => {
  const missing = await findMissing(language);
  if (missing) return { language, outcome: 'left out', reason: missing, seconds: 0 };
  const start = performance.now();
  const prove = async (): Promise<Pick<Proof, 'outcome' | 'reason'>> => {
    const onStep = (name: string) => report(`${language.title}: ${name} …`);
    const recipe = readRecipe(language.name);
    await runRecipe({ recipe, settings: await makeSettings(service), onStep, signal });
    return { outcome: 'passed' };
  };
  const result = await prove().catch(toFailure);
  return { language, ...result, seconds: (performance.now() - start) / 1000 };
};

const toFailure = (error: unknown): Pick<Proof, 'outcome' | 'reason'> => {
  if (!(error instanceof RecipeFailure)) throw error;
  return { outcome: 'failed', reason: error.message };
};

const findMissing = async ({ needs }: Language): Promise<string | undefined> => {
  for (const [command, ...args] of needs) {
    const { code } = await runCommand(command, args, { env: toolchainEnvironment() });
    if (code !== 0) return `needs ${command}, which is not on this machine or too old`;
  }
  return undefined;
};
