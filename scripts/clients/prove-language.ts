// One language: whether its toolchain is installed, and whether its recipe works.
import { installDebianPackages } from '../test/provide-programs.ts';
import type { Language } from './languages.ts';
import { startNewerService } from './newer-service.ts';
import { readRecipe } from './recipe.ts';
import { RecipeFailure, runRecipe, runShell } from './run-recipe.ts';
import type { Service } from './service.ts';
import { makeSettings } from './service.ts';

export type Proof = {
  language: Language;
  outcome: 'passed' | 'failed' | 'left out';
  /** Why it failed, or which program is missing. */
  reason?: string;
  seconds: number;
};

type Environment = { service: Service; report: (sentence: string) => void; signal: AbortSignal };

export const proveLanguage = async (
  language: Language,
  { service, report, signal }: Environment,
): Promise<Proof> => {
  const missing = await provideTools(language);
  if (missing) return { language, outcome: 'left out', reason: missing, seconds: 0 };
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  const newer = await startNewerService(service.baseUrl);
  try {
    await runRecipe({
      recipe: readRecipe(language.name),
      settings: { ...(await makeSettings(service)), MUSTER_URL: newer.baseUrl },
      onStep: (name) => report(`${language.title}: ${name} …`),
      signal,
    });
    return { language, outcome: 'passed', seconds: seconds() };
  } catch (error) {
    if (!(error instanceof RecipeFailure)) throw error;
    report(`${language.title} failed: ${error.message}`);
    return { language, outcome: 'failed', reason: error.message, seconds: seconds() };
  } finally {
    await newer.stop();
  }
};

/** Installs what is missing as root on Debian; otherwise returns a sentence that names it. */
const provideTools = async (language: Language): Promise<string | undefined> => {
  const missing = await findMissing(language);
  const { debianPackages: packages } = language;
  if (!missing || !packages) return missing;
  if (installDebianPackages(...packages)) return findMissing(language);
  return `${missing} (on Debian: apt-get install ${packages.join(' ')})`;
};

const findMissing = async ({ needs }: Language): Promise<string | undefined> => {
  for (const command of needs) {
    const { code } = await runShell(command);
    if (code !== 0) return `fails here: ${command}`;
  }
  return undefined;
};

/** One line per language. */
export const describeProofs = (proofs: readonly Proof[]): string =>
  proofs
    .map(({ language: { title, generator }, outcome, reason, seconds }) => {
      const result = outcome === 'left out' ? `left out: ${reason}` : outcome;
      const time = outcome === 'left out' ? '' : `, ${seconds.toFixed(1)} s`;
      return `${title.padEnd(20)}${generator.padEnd(30)}${result}${time}`;
    })
    .join('\n');
