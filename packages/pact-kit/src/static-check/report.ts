// How the checks of one interaction hand over what they find.
import type { Finding, PactFile, PactInteraction, Severity } from '../findings.ts';
import type { JsonPath } from '../pact-files/json-document.ts';

export type Problem = {
  rule: string;
  message: string;
  suggestion?: string | null | undefined;
  severity?: Severity;
  /** Below the interaction: ['request', 'query', 'page_size']. */
  at: JsonPath;
};

export type Report = (problem: Problem) => void;

export const createReport =
  (findings: Finding[], pact: PactFile, interaction: PactInteraction): Report =>
  ({ rule, message, suggestion, severity = 'error', at }) => {
    findings.push({
      rule,
      severity,
      message,
      ...(typeof suggestion === 'string' && { suggestion }),
      place: pact.locate(['interactions', interaction.index, ...at]),
      interaction: interaction.description,
    });
  };

// Did you mean …? The nearest of the known names by edit distance.

/** The nearest name, or null when none is near enough to be what was meant. */
export const findClosest = (name: string, known: readonly string[]): string | null => {
  const wanted = fold(name);
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(wanted, fold(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(2, Math.floor(wanted.length / 2.5))
    ? best.candidate
    : null;
};

/** teamId, team-id and team_id are one mistake away from each other at most. */
const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The sentence that a finding adds, or null when there is nothing to offer. */
export const suggestName = (name: string, known: readonly string[]): string | null => {
  const closest = findClosest(name, known);
  if (closest !== null) return `Did you mean "${closest}"?`;
  return known.length > 0 && known.length <= 20 ? `Known: ${known.join(', ')}.` : null;
};

/** Levenshtein distance with transposition of neighbours (optimal string alignment). */
export const editDistance = (a: string, b: string): number => {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      current[j] = Math.min(
        at(previous, j) + 1,
        at(current, j - 1) + 1,
        at(previous, j - 1) + cost,
        swapped ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = previous;
    previous = current;
  }
  return at(previous, b.length);
};

const at = (row: readonly number[], index: number): number => row[index] ?? 0;
