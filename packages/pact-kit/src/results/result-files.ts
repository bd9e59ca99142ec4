// Results of verifications as small files to commit, for teams without a broker: one per consumer, without times, so that
// they change only when what they say changes.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { PactFile } from '../findings.ts';
import { Problem, sentenceOf } from '../findings.ts';
import { sortKeys } from '../preset/pact-content.ts';
import type { PactReport, VerificationReport } from '../report/verification-report.ts';
import { isError } from '../report/verification-report.ts';

/** Every field is checked: a `success` of another type must not read as a yes. */
const ResultFile = z.object({
  formatVersion: z.literal(1),
  consumer: z.string(),
  provider: z.string(),
  /** What it was verified against, such as `muster 0.1.0`. */
  verifiedAgainst: z.string(),
  /** SHA-256 of the interactions of the pact, whatever its formatting. */
  pactDigest: z.string(),
  interactions: z.int().min(0),
  success: z.boolean(),
});
type ResultFile = z.infer<typeof ResultFile>;

export const LAST_RUN_NAME = 'last-run.json';

/** Two texts of the same pact have the same digest: spaces, the order of keys and metadata do not count. */
const digestPact = (pact: PactFile): string => {
  const contents = pact.interactions.map(({ content }) => content);
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(contents)))
    .digest('hex');
};

const isGreen = ({ findings, interactions, pending }: PactReport): boolean =>
  !pending &&
  interactions.length > 0 &&
  !findings.some(isError) &&
  interactions.every(({ status }) => status === 'passed');

/** Writes one file per pact into the folder. Throws Problem when it cannot. */
export const writeResultFiles = async (
  folder: string,
  pacts: readonly PactFile[],
  report: VerificationReport,
): Promise<void> => {
  const names = new Set<string>();
  try {
    await mkdir(folder, { recursive: true });
    for (const pact of pacts) {
      const verified = report.pacts.find(({ source }) => source === pact.source);
      const result: ResultFile = {
        formatVersion: 1,
        consumer: pact.consumer,
        provider: pact.provider,
        verifiedAgainst: report.provider,
        pactDigest: digestPact(pact),
        interactions: pact.interactions.length,
        success: verified !== undefined && isGreen(verified),
      };
      const name = `${pact.consumer}-${pact.provider}`.replace(/[^A-Za-z0-9._-]+/g, '_');
      const path = join(folder, freeName(name, names));
      await writeFile(path, `${JSON.stringify(result, null, 2)}\n`);
    }
  } catch (error) {
    throw new Problem(`The results cannot be written to ${folder}: ${sentenceOf(error)}.`);
  }
};

const ENDING = '.result.json';

/** A consumer may have several pacts, each with a result of its own. */
const freeName = (name: string, taken: Set<string>): string => {
  let free = name;
  // Not every file system tells cases apart.
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name}-${number}`;
  taken.add(free.toLowerCase());
  return `${free}${ENDING}`;
};

/** Throws Problem when the folder or one of its result files cannot be read. */
export const readResultFiles = async (folder: string): Promise<ResultFile[]> => {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new Problem(`The results folder ${folder} cannot be read: ${sentenceOf(error)}.`);
  });
  const own = names.filter((name) => name.endsWith(ENDING)).sort();
  return Promise.all(own.map((name) => readResultFile(join(folder, name))));
};

const readResultFile = async (path: string): Promise<ResultFile> => {
  try {
    return ResultFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // Said below, in the same words as for JSON that is something else.
  }
  throw new Problem(`${path} is not a result file of this kit: verify again to write it anew.`);
};

// Whether a set of pacts may be deployed, by the result files that were committed.

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
