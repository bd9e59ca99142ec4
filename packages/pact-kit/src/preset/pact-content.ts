// How the preset, vitest's main process and its workers tell each other where things are.

/** Folders of the pacts, absolute, separated like the folders of PATH. */
export const FOLDER_VARIABLE = 'MUSTER_PACT_FOLDER';
/** File with a line per interaction that a test declared. */
export const DECLARED_VARIABLE = 'MUSTER_PACT_DECLARED';

export type Declared = { consumer: string; provider: string; description: string };

// Pact files in one order, and the interactions that should be in them.

type Interaction = { description: string; [field: string]: unknown };

export type PactContent = {
  consumer: { name: string };
  provider: { name: string };
  interactions: Interaction[];
  metadata?: Record<string, unknown>;
};

/**
 * Interactions by description and states, keys by name, and of the metadata only the version of the specification: the
 * file changes when the contract changes, not when a library does.
 */
export const sortPact = (pact: PactContent): PactContent => {
  const specification = pact.metadata?.pactSpecification;
  return sortKeys({
    ...pact,
    interactions: pact.interactions.toSorted((a, b) => compare(keyOf(a), keyOf(b))),
    metadata: { ...(specification !== undefined && { pactSpecification: specification }) },
  }) as PactContent;
};

const keyOf = ({ description, providerStates, providerState }: Interaction): string =>
  `${description}\n${JSON.stringify(sortKeys(providerStates ?? providerState ?? []))}`;

/** By code units, the same in every locale. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** At every depth, whatever the order in which they were written. */
export const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, sortKeys(inner)]));
};

/** Declared interactions that no pact has; each once. */
export const findLost = (
  declared: readonly Declared[],
  pacts: readonly PactContent[],
): Declared[] => {
  const nameOf = ({ consumer, provider, description }: Declared) =>
    JSON.stringify([consumer, provider, description]);
  const written = new Set(
    pacts.flatMap(({ consumer, provider, interactions }) =>
      interactions.map(({ description }) =>
        nameOf({ consumer: consumer.name, provider: provider.name, description }),
      ),
    ),
  );
  const lost = new Map(declared.map((one) => [nameOf(one), one]));
  return [...lost].flatMap(([name, one]) => (written.has(name) ? [] : [one]));
};
