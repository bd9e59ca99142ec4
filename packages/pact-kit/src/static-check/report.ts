// How the checks of one interaction hand over what they find.
import type { Finding, Place, Severity } from '../finding.ts';
import type { PactFile, PactInteraction } from '../pact-file.ts';
import type { JsonPath } from '../pact-files/index.ts';

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
      place: placeOf(pact, interaction, at),
      interaction: interaction.description,
    });
  };

const placeOf = (pact: PactFile, interaction: PactInteraction, at: JsonPath): Place =>
  pact.locate?.(['interactions', interaction.index, ...at]) ?? interaction.place;
