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

/**
 * Bad input, or something that does not work here: the message is one sentence for a person, with file and line
 * where there are any. The command line prints it and exits with 2.
 */
export class Problem extends Error {
  override name = 'Problem';
}

/** What an unknown error says, in one line. A TypeError of fetch hides what went wrong in its cause: a refused connection, an unknown host. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof TypeError && error.cause instanceof Error) return sentenceOf(error.cause);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = error instanceof Error ? error.message || code || error.name : String(error);
  return text.split('\n')[0]?.trim() || 'an unknown error';
};

// A pact file as the kit reads it: the interactions with the places that they stand at.

export type PactFile = {
  /** Where it came from: a path, a URL, or what the broker calls it. */
  source: string;
  consumer: string;
  provider: string;
  /** The version of the Pact specification, such as 4.0. */
  specification: string;
  interactions: PactInteraction[];
  /** The whole file. */
  content: Record<string, unknown>;
  /** The place of what a JSON path names in the file. */
  locate: (path: readonly (string | number)[]) => Place;
};

export type ProviderStateUse = { name: string; params: Record<string, unknown>; place: Place };

export type PactInteraction = {
  /** Its index in the file, from 0. */
  index: number;
  description: string;
  states: ProviderStateUse[];
  place: Place;
  /** The interaction as it is in the file, matchers included. */
  content: Record<string, unknown>;
};
