// How a mutation is written: which correct pact it takes, what it breaks, how that must be named.
import type { Random } from './seeded-random.ts';
import type { Interaction, Json } from './write-pact.ts';

export type Expected = { rule: string; words: readonly string[] };

export type Mutation = {
  name: string;
  /** The beginning of the correct pact's name. */
  of: string;
  /** Breaks the first interaction of the pact. */
  apply: (first: Interaction, random: Random, all: Interaction[]) => Expected;
};

/** The object inside a body or a state's parameters that the path leads to. */
export const inside = (root: unknown, ...path: (string | number)[]): Json =>
  path.reduce<unknown>((value, step) => Reflect.get(value as object, step), root) as Json;
