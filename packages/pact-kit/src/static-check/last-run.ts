// How many interactions the last run saw, so that lost ones are noticed: parallel consumer tests lose them silently.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Finding } from '../finding.ts';
import type { PactFile } from '../pact-file.ts';
import { isRecord } from './json-value.ts';

/** Interactions by `consumer → provider`. */
export type InteractionCounts = Record<string, number>;

export const countInteractions = (pacts: readonly PactFile[]): InteractionCounts => {
  const counts: InteractionCounts = {};
  for (const { consumer, provider, interactions } of pacts) {
    const pair = `${consumer} → ${provider}`;
    counts[pair] = (counts[pair] ?? 0) + interactions.length;
  }
  return counts;
};

/** Call it after a run that passed, so that the next one is held against it. */
export const writeLastRun = (file: string, pacts: readonly PactFile[]): void =>
  writeFileSync(file, `${JSON.stringify({ interactions: countInteractions(pacts) }, null, 2)}\n`);

/** No file yet is a first run and no finding; one that cannot be read is. */
export const checkCounts = (pacts: readonly PactFile[], file: string): Finding[] => {
  const text = readIfPresent(file);
  if (text === null) return [];
  const before = parseCounts(text);
  if (!before) {
    const message = 'The file of the last run cannot be read; remove it to begin anew.';
    return [{ rule: 'broken-last-run', severity: 'error', message, place: { file } }];
  }
  const now = countInteractions(pacts);
  return Object.entries(before)
    .filter(([pair, count]) => (now[pair] ?? 0) < count)
    .map(([pair, count]) => ({
      rule: 'fewer-interactions',
      severity: 'error' as const,
      message: `${pair} has ${now[pair] ?? 0} interactions, and the last run had ${count}.`,
      suggestion: `If they were removed on purpose, remove ${file}; else run the consumer's tests one file at a time.`,
      place: {
        file: pacts.find((pact) => `${pact.consumer} → ${pact.provider}` === pair)?.source ?? file,
      },
    }));
};

const readIfPresent = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    return '';
  }
};

const parseCounts = (text: string): InteractionCounts | null => {
  try {
    const value: unknown = JSON.parse(text);
    const counts = isRecord(value) ? value.interactions : null;
    if (!isRecord(counts)) return null;
    const isCount = (count: unknown) => Number.isSafeInteger(count) && Number(count) >= 0;
    return Object.values(counts).every(isCount) ? (counts as InteractionCounts) : null;
  } catch {
    return null;
  }
};
