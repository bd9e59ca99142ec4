// A pact file as the kit reads it: the interactions with the places that they stand at.
import type { Place } from './finding.ts';

export type PactFile = {
  /** Where it came from: a path, a URL, or what the broker calls it. */
  source: string;
  /** A local file with the same content, for the verifier. */
  path: string;
  consumer: string;
  provider: string;
  /** The version of the Pact specification, such as 4.0. */
  specification: string;
  interactions: PactInteraction[];
  /** The place of what a JSON path names in the file; files that were read have it. */
  locate?: (path: readonly (string | number)[]) => Place;
};

export type ProviderStateUse = { name: string; params: Record<string, unknown>; place: Place };

export type PactInteraction = {
  /** Its index in the file, from 0. */
  index: number;
  description: string;
  states: ProviderStateUse[];
  place: Place;
  /** The interaction as it stands in the file, matchers included. */
  content: Record<string, unknown>;
};
