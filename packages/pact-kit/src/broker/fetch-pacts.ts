// Asks a broker which pacts to verify: by selectors, with those that are pending and in work.
import { Problem } from '../problem.ts';
import type { HalClient, Resource } from './hal-client.ts';

/** As in the broker's documentation, such as `{mainBranch: true}` or `{deployedOrReleased: true}`. */
export type ConsumerVersionSelector = Record<string, string | boolean>;

export type PactQuery = {
  provider: string;
  selectors: readonly ConsumerVersionSelector[];
  enablePending: boolean;
  /** A date, such as 2026-01-01. */
  includeWipSince?: string | undefined;
  branch?: string | undefined;
  tags?: readonly string[];
};

export type PactToVerify = {
  url: string;
  pending: boolean;
  /** Why the broker chose it, in its own words. */
  notices: string[];
};

const RELATION = 'pb:provider-pacts-for-verification';

export const fetchPactsToVerify = async (
  broker: HalClient,
  query: PactQuery,
): Promise<PactToVerify[]> => {
  const url = await broker.findLink(RELATION, { provider: query.provider });
  if (!url) throw new Problem('The broker does not list pacts for verification: it is too old.');
  const { selectors, branch, tags = [], enablePending, includeWipSince } = query;
  const answer = await broker.send('POST', url, {
    consumerVersionSelectors: selectors,
    includePendingStatus: enablePending,
    ...(includeWipSince && { includeWipPactsSince: includeWipSince }),
    ...(branch && { providerVersionBranch: branch }),
    ...(tags.length > 0 && { providerVersionTags: tags }),
  });
  const pacts = answer._embedded?.pacts;
  if (!Array.isArray(pacts)) throw new Problem('The broker gave no list of pacts to verify.');
  return pacts.map(toPactToVerify);
};

type Entry = Resource & {
  verificationProperties?: { pending?: boolean; notices?: { when?: string; text?: string }[] };
};

const toPactToVerify = ({ _links, verificationProperties }: Entry): PactToVerify => {
  const url = _links?.self?.href;
  if (!url) throw new Problem('The broker named a pact to verify without a link to it.');
  const { pending = false, notices = [] } = verificationProperties ?? {};
  const early = notices.filter(({ when = 'before_verification' }) => when.startsWith('before'));
  return { url, pending, notices: early.flatMap(({ text }) => text ?? []) };
};
