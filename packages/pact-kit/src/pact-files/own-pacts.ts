// Which of the pacts are about this service: a consumer's folder has those of its other providers too.
import type { Finding, PactFile } from '../findings.ts';
import { editDistance } from '../static-check/report.ts';
import type { LoadedPacts } from './load-pacts.ts';

/** The name of the service as a pacticipant. */
export const PROVIDER_NAME = 'muster';

const MISSPELT = 2;

/** Names differ in more than their case; one that nearly is ours is a mistake, and no other provider. */
export const selectOwnPacts = (
  { pacts, findings }: LoadedPacts,
  provider: string = PROVIDER_NAME,
): LoadedPacts => {
  const own = pacts.filter((pact) => distance(pact.provider, provider) === 0);
  const others = pacts.filter((pact) => !own.includes(pact));
  const said = others.map((pact) => describe(pact, provider));
  const isNothingLeft =
    own.length === 0 && others.length > 0 && !said.some(({ severity }) => severity === 'error');
  return {
    pacts: own,
    findings: [
      ...findings.filter(({ place }) => !others.some(({ source }) => source === place.file)),
      ...said,
      ...(isNothingLeft ? [nothingLeft(others, provider)] : []),
    ],
  };
};

const distance = (a: string, b: string): number => editDistance(a.toLowerCase(), b.toLowerCase());

const describe = (pact: PactFile, provider: string): Finding => {
  const place = pact.locate(['provider', 'name']);
  if (distance(pact.provider, provider) <= MISSPELT) {
    return {
      rule: 'misspelt-provider',
      severity: 'error',
      message: `The provider is called "${pact.provider}", and the service is called "${provider}".`,
      suggestion: `Write "${provider}", or name the service with --provider.`,
      place,
    };
  }
  return {
    rule: 'other-provider',
    severity: 'warning',
    message: `Skipped: the pact is about the provider "${pact.provider}", not "${provider}".`,
    place,
  };
};

const nothingLeft = (others: readonly PactFile[], provider: string): Finding => {
  const names = [...new Set(others.map((pact) => pact.provider))].join(', ');
  return {
    rule: 'no-pact-found',
    severity: 'error',
    message: `No pact is about the provider "${provider}", only about ${names}: name the service with --provider.`,
    place: { file: others[0]?.source ?? '' },
  };
};
