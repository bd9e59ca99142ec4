// What the command line asks of a broker.
import { Problem } from '../findings.ts';
import type { PactReport } from '../report/verification-report.ts';
import { isError } from '../report/verification-report.ts';
import type { Decision } from '../results/result-files.ts';
import { isRecord } from '../values.ts';
import type { BrokerAccess, HalClient } from './hal-client.ts';
import { createHalClient, readLink, splitCredentials } from './hal-client.ts';

// Asks a broker which pacts to verify: by selectors, with those that are pending and in work.

/** As in the broker's documentation, such as `{mainBranch: true}` or `{deployedOrReleased: true}`. */
export type ConsumerVersionSelector = Record<string, string | boolean>;

type PactQuery = {
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

// Tells a broker what a verification gave, under the provider's version, its branch and its tags.

type PublishOptions = {
  provider: string;
  providerVersion: string;
  branch?: string | undefined;
  tags: readonly string[];
  buildUrl?: string | undefined;
  kitVersion: string;
};

/** Branch and tags come first, so that the result is never seen without them. */
export const publishResults = async (
  broker: HalClient,
  pacts: readonly PactReport[],
  options: PublishOptions,
): Promise<void> => {
  const { provider: pacticipant, providerVersion: version, branch, tags } = options;
  if (branch) await put(broker, 'pb:pacticipant-branch-version', { pacticipant, branch, version });
  for (const tag of tags) {
    await put(broker, 'pb:pacticipant-version-tag', { pacticipant, version, tag });
  }
  for (const pact of pacts) await publishOne(broker, pact, options);
};

const put = async (
  broker: HalClient,
  relation: string,
  values: Record<string, string>,
): Promise<void> => {
  const url = await broker.findLink(relation, values);
  if (!url)
    throw new Problem(`The broker has no link ${relation}: it is too old for branches or tags.`);
  await broker.send('PUT', url, {});
};

const publishOne = async (broker: HalClient, pact: PactReport, options: PublishOptions) => {
  const resource = await broker.get(pact.source);
  const url = readLink(resource, 'pb:publish-verification-results');
  if (!url) throw new Problem(`The broker takes no results for ${pact.source}.`);
  const success =
    !pact.findings.some(isError) && pact.interactions.every(({ status }) => status === 'passed');
  await broker.send('POST', new URL(url, pact.source).href, {
    success,
    providerApplicationVersion: options.providerVersion,
    ...(options.buildUrl && { buildUrl: options.buildUrl }),
    verifiedBy: { implementation: '@muster/pact-kit', version: options.kitVersion },
    testResults: pact.interactions.map(({ description, status, findings }) => ({
      interactionDescription: description,
      success: status === 'passed',
      mismatches: findings
        .filter(isError)
        .map(({ rule, message }) => ({ attribute: rule, description: message })),
    })),
  });
};

// Asks a broker's matrix whether a version may be deployed.

type DeployQuestion = {
  pacticipant: string;
  version: string;
  /** The environment that it goes to; when absent, the newest versions of the others are meant. */
  environment?: string | undefined;
};

/** The query is the one that the broker's own command line sends. Throws Problem when the broker does not answer it. */
export const askBroker = async (
  access: BrokerAccess,
  { pacticipant, version, environment }: DeployQuestion,
): Promise<Decision> => {
  const url = new URL(`${splitCredentials(access.url).url.replace(/\/+$/, '')}/matrix`);
  url.searchParams.append('q[][pacticipant]', pacticipant);
  url.searchParams.append('q[][version]', version);
  url.searchParams.append('latestby', 'cvp');
  if (environment) url.searchParams.append('environment', environment);
  else url.searchParams.append('latest', 'true');
  const { summary, notices } = await createHalClient(access).get(url.href);
  const { deployable, reason } = isRecord(summary) ? summary : {};
  const said = Array.isArray(notices)
    ? notices.map((notice) => isRecord(notice) && notice.text)
    : [];
  return {
    // Null means unknown, which is not a yes.
    deployable: deployable === true,
    reasons: [reason ?? 'The broker gave no reason.', ...said].filter(
      (one) => typeof one === 'string',
    ),
  };
};
