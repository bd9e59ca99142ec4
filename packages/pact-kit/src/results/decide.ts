// Whether a set of pacts may be deployed, by the result files that were committed.
import type { PactFile } from '../pact-file.ts';
import type { ResultFile } from './result-files.ts';
import { digestPact } from './result-files.ts';

export type Decision = { deployable: boolean; reasons: string[] };

/** Every pact needs a green result for exactly this content, against the named release of the service. */
export const decideByResults = (
  pacts: readonly PactFile[],
  results: readonly ResultFile[],
  verifiedAgainst: string | undefined,
): Decision => {
  const answers = pacts.map((pact) => judge(pact, results, verifiedAgainst));
  return {
    deployable: answers.length > 0 && answers.every(({ ok }) => ok),
    reasons:
      answers.length === 0
        ? ['There is no pact, so nothing is known.']
        : answers.map(({ reason }) => reason),
  };
};

const judge = (
  pact: PactFile,
  results: readonly ResultFile[],
  verifiedAgainst: string | undefined,
): { ok: boolean; reason: string } => {
  const name = `${pact.consumer} → ${pact.provider}`;
  const digest = digestPact(pact);
  const ofPair = results.filter(
    ({ consumer, provider }) => consumer === pact.consumer && provider === pact.provider,
  );
  const ofContent = ofPair.filter(({ pactDigest }) => pactDigest === digest);
  // Where results contradict each other, the failure counts.
  const result = ofContent.find(({ success }) => !success) ?? ofContent[0];
  if (ofPair.length === 0) return no(`${name} was never verified.`);
  if (!result) return no(`${name} has changed since it was verified.`);
  if (!result.success) return no(`${name} failed its verification.`);
  if (verifiedAgainst !== undefined && result.verifiedAgainst !== verifiedAgainst) {
    return no(`${name} was verified against ${result.verifiedAgainst}, not ${verifiedAgainst}.`);
  }
  return { ok: true, reason: `${name} was verified against ${result.verifiedAgainst}.` };
};

const no = (reason: string) => ({ ok: false, reason });
