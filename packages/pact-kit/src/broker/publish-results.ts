// Tells a broker what a verification gave, under the provider's version, its branch and its tags.
import { Problem } from '../problem.ts';
import type { PactReport } from '../report/index.ts';
import { isError } from '../report/index.ts';
import type { HalClient } from './hal-client.ts';
import { readLink } from './hal-client.ts';

export type PublishOptions = {
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
