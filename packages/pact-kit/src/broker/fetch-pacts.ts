// Asks a broker which pacts to verify: by selectors, with those that are pending and in work.
import { Problem } from '../problem.ts';
import { isRecord } from '../static-check/json-value.ts';
import type { HalClient } from './hal-client.ts';
import { readLink } from './hal-client.ts';

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
  const pacts = isRecord(answer._embedded) ? answer._embedded.pacts : null;
  if (!Array.isArray(pacts)) throw new Problem('The broker gave no list of pacts to verify.');
  return pacts.map((entry: unknown) => toPactToVerify(entry, url));
};

const toPactToVerify = (entry: unknown, listUrl: string): PactToVerify => {
  const link = readLink(entry, 'self');
  if (link === null || !URL.canParse(link, listUrl)) {
    throw new Problem('The broker named a pact to verify without a link to it.');
  }
  const properties = isRecord(entry) ? entry.verificationProperties : null;
  const { pending, notices } = isRecord(properties) ? properties : {};
  return {
    url: new URL(link, listUrl).href,
    pending: pending === true,
    notices: Array.isArray(notices) ? notices.flatMap(readNotice) : [],
  };
};

/** What the broker wants said before the verification. */
const readNotice = (notice: unknown): string[] => {
  const { when = 'before_verification', text } = isRecord(notice) ? notice : {};
  return typeof text === 'string' && String(when).startsWith('before') ? [text] : [];
};
