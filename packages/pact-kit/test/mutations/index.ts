// The test set: 20 correct pacts, and 40 that are each wrong in one way.

import { ACCEPTED_JOINS } from './accepted-joins.ts';
import { CORRECT_HISTORIES } from './correct-histories.ts';
import type { Mutation } from './mutation.ts';
import { REFUSED_JOINS } from './refused-joins.ts';
import { REQUEST_MUTATIONS } from './request-mutations.ts';
import { BEHAVIOUR_MUTATIONS } from './response-mutations.ts';
import { createRandom } from './seeded-random.ts';
import { STATE_MUTATIONS } from './state-mutations.ts';
import type { Interaction, Json } from './write-pact.ts';
import { writePact } from './write-pact.ts';

export type NamedPact = { name: string; pact: Json };

/** A pact that is wrong in one way, and how a finding has to name that. */
type MutatedPact = NamedPact & { rule: string; words: readonly string[] };

const CORRECT = [...ACCEPTED_JOINS, ...REFUSED_JOINS, ...CORRECT_HISTORIES];

export const listCorrectPacts = (): NamedPact[] =>
  CORRECT.map(({ name, version, interactions }) => ({
    name,
    pact: writePact(version, interactions),
  }));

const MUTATIONS: Mutation[] = [...STATE_MUTATIONS, ...REQUEST_MUTATIONS, ...BEHAVIOUR_MUTATIONS];

/** The same seed gives the same pacts. */
export const listMutatedPacts = (seed = 1): MutatedPact[] =>
  MUTATIONS.map(({ name, of, apply }, index) => {
    const base = CORRECT.find((pact) => pact.name.startsWith(of));
    if (!base) throw new Error(`There is no correct pact whose name begins with ${of}.`);
    const interactions = structuredClone(base.interactions);
    const [first] = interactions as [Interaction, ...Interaction[]];
    const expected = apply(first, createRandom(seed * 1000 + index), interactions);
    return { name, pact: writePact(base.version, interactions), ...expected };
  });
