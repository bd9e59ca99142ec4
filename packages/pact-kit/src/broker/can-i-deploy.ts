// Asks a broker's matrix whether a version may be deployed.

import type { Decision } from '../results/index.ts';
import { isRecord } from '../static-check/json-value.ts';
import { splitCredentials } from '../url-credentials.ts';
import type { BrokerAccess } from './hal-client.ts';
import { createHalClient } from './hal-client.ts';

export type DeployQuestion = {
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
