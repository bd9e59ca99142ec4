// What a check has to say about a pact: the one shape that every report is made of.

export type Severity = 'error' | 'warning';

/** A place in a pact file; line and column count from 1. */
export type Place = { file: string; line?: number; column?: number };

export type Finding = {
  /** A stable identifier in kebab-case, such as unknown-provider-state. */
  rule: string;
  severity: Severity;
  /** One sentence that names what is wrong. */
  message: string;
  /** What to write instead, where there is a good guess. */
  suggestion?: string;
  place: Place;
  /** The interaction's description, when the finding is about one. */
  interaction?: string;
};
