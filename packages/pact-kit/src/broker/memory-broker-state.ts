// What the broker in memory knows, and how it chooses and decides.
import type { ConsumerVersionSelector } from './broker.ts';

export type StoredPact = {
  id: number;
  consumer: string;
  provider: string;
  consumerVersion: string;
  branch?: string;
  tags: readonly string[];
  environments: readonly string[];
  content: object;
};

export type StoredResult = {
  pact: StoredPact;
  providerVersion: string;
  success: boolean;
  /** As it was sent. */
  body: Record<string, unknown>;
};

export type BrokerState = {
  mainBranch: string;
  pacts: StoredPact[];
  results: StoredResult[];
  providerVersions: { version: string; branch?: string; tag?: string }[];
};

export type ChosenPact = { pact: StoredPact; pending: boolean; wip: boolean };

/**
 * The newest pact of each consumer that a selector matches; work in progress is the newest pact of every other branch
 * that was never verified. Pending is what no version of the provider's branch has verified with success.
 */
export const choosePacts = (
  state: BrokerState,
  provider: string,
  selectors: readonly ConsumerVersionSelector[],
  options: Record<string, unknown>,
): ChosenPact[] => {
  const candidates = state.pacts.filter((pact) => pact.provider === provider).reverse();
  const chosen = new Map<number, ChosenPact>();
  for (const selector of selectors) {
    for (const pact of newestOfEach(candidates.filter((one) => matches(state, selector, one)))) {
      const pending = options.includePendingStatus === true && !wasGreen(state, pact, options);
      chosen.set(pact.id, { pact, pending, wip: false });
    }
  }
  if (options.includeWipPactsSince === undefined) return [...chosen.values()];
  const branches = new Set(candidates.map(({ branch }) => branch));
  for (const branch of branches) {
    const ofBranch = candidates.filter((pact) => pact.branch === branch);
    for (const pact of newestOfEach(ofBranch)) {
      if (chosen.has(pact.id) || wasGreen(state, pact, options)) continue;
      chosen.set(pact.id, { pact, pending: true, wip: true });
    }
  }
  return [...chosen.values()];
};

const newestOfEach = (pacts: readonly StoredPact[]): StoredPact[] => {
  const newest = new Map<string, StoredPact>();
  for (const pact of pacts) if (!newest.has(pact.consumer)) newest.set(pact.consumer, pact);
  return [...newest.values()];
};

const matches = (
  { mainBranch }: BrokerState,
  { consumer, branch, tag, environment, ...flags }: ConsumerVersionSelector,
  pact: StoredPact,
): boolean => {
  if (consumer !== undefined && consumer !== pact.consumer) return false;
  if (flags.mainBranch) return pact.branch === mainBranch;
  if (branch) return pact.branch === branch;
  if (tag) return pact.tags.includes(String(tag));
  if (environment) return pact.environments.includes(String(environment));
  if (flags.deployedOrReleased || flags.deployed) return pact.environments.length > 0;
  return flags.latest === true;
};

const wasGreen = (
  { results, providerVersions }: BrokerState,
  pact: StoredPact,
  { providerVersionBranch }: Record<string, unknown>,
): boolean =>
  results.some(
    (result) =>
      result.success &&
      result.pact.id === pact.id &&
      (providerVersionBranch === undefined ||
        providerVersions.some(
          ({ version, branch }) =>
            version === result.providerVersion && branch === providerVersionBranch,
        )),
  );

/** The matrix of one version: deployable when each of its pacts has a green newest result. */
export const decide = ({ pacts, results }: BrokerState, query: URLSearchParams): object => {
  const own = pacts.filter(
    ({ consumer, consumerVersion }) =>
      consumer === query.get('q[][pacticipant]') && consumerVersion === query.get('q[][version]'),
  );
  const newest = own.map(({ id }) => results.findLast(({ pact }) => pact.id === id));
  const unknown = newest.filter((result) => result === undefined).length;
  const failed = newest.filter((result) => result?.success === false).length;
  const problem =
    (own.length === 0 && 'There is no such version.') ||
    (failed > 0 && 'The verification failed.') ||
    (unknown > 0 && 'There is no verification result.');
  const reason = problem || 'All required verification results are published and successful.';
  return {
    summary: { deployable: !problem, reason, failed, unknown },
    notices: [],
    matrix: [],
  };
};
