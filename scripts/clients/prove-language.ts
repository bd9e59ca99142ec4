// One language: is its toolchain here, and does its recipe do what it says?

import { composeTable } from '../compose-table.ts';
import { installDebianPackages, isRootOnDebian } from '../test/provide-programs.ts';
import type { Language } from './languages.ts';
import { startNewerService } from './newer-service.ts';
import { readRecipe } from './recipe.ts';
import { RecipeFailure, runCommand, runRecipe, toolchainEnvironment } from './run-recipe.ts';
import type { Service } from './service.ts';
import { makeSettings } from './service.ts';

export type Proof = {
  language: Language;
  outcome: 'passed' | 'failed' | 'left out';
  /** Why it failed, or which program is not here. */
  reason?: string;
  seconds: number;
};

type Progress = (sentence: string) => void;

export const proveLanguage = async (
  language: Language,
  { service, report, signal }: { service: Service; report: Progress; signal: AbortSignal },
): Promise<Proof> => {
  const missing = await provideTools(language);
  if (missing) return { language, outcome: 'left out', reason: missing, seconds: 0 };
  const start = performance.now();
  const newer = await startNewerService(service.baseUrl);
  const prove = async (): Promise<Pick<Proof, 'outcome' | 'reason'>> => {
    const onStep = (name: string) => report(`${language.title}: ${name} …`);
    const recipe = readRecipe(language.name);
    const settings = { ...(await makeSettings(service)), MUSTER_URL: newer.baseUrl };
    await runRecipe({ recipe, settings, onStep, signal });
    return { outcome: 'passed' };
  };
  const result = await prove().catch(toFailure).finally(newer.stop);
  return { language, ...result, seconds: (performance.now() - start) / 1000 };
};

const toFailure = (error: unknown): Pick<Proof, 'outcome' | 'reason'> => {
  if (!(error instanceof RecipeFailure)) throw error;
  return { outcome: 'failed', reason: error.message };
};

/** What is missing is installed where that is ours to do: as root, on Debian. */
const provideTools = async (language: Language): Promise<string | undefined> => {
  const missing = await findMissing(language);
  const { debianPackages: packages } = language;
  if (!missing || !packages) return missing;
  if (isRootOnDebian() && installDebianPackages(...packages)) return findMissing(language);
  return `${missing} (on Debian: apt-get install ${packages.join(' ')})`;
};

const findMissing = async ({ needs }: Language): Promise<string | undefined> => {
  for (const [command, ...args] of needs) {
    const { code } = await runCommand(command, args, { env: toolchainEnvironment() });
    if (code !== 0) return `needs ${command}, which is not on this machine or too old`;
  }
  return undefined;
};

// The table at the end: one line per language.

const HEADINGS = ['language', 'generator', 'result', 'time'];

export const describeProofs = (proofs: readonly Proof[]): string =>
  composeTable([HEADINGS, ...proofs.map(toRow)]);

const toRow = ({ language, outcome, reason, seconds }: Proof): string[] => [
  language.title,
  language.generator,
  outcome === 'left out' ? `left out: ${reason}` : outcome,
  outcome === 'left out' ? '' : `${seconds.toFixed(1)} s`,
];
