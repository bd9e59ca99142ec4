// The gate between a change of the contract and its release: what breaks since the released one, and whether it is announced.

import { readdirSync } from 'node:fs';
import { buildOpenApi } from '@muster/contract/openapi';
import { findBreakingChanges, nameChange } from '@muster/pact-kit/breaking-changes';
import { ROOT, readRepositoryFile } from './write-documents.ts';

type AcceptedChange = { change: string; reason: string };

type GateInput = {
  /** Version of the newest released contract. */
  released: string;
  /** Version of the project as it is now. */
  current: string;
  /** One sentence per breaking change between the two. */
  changes: readonly string[];
  /** Those of them that were looked at and that no client can notice, each with the reason. */
  accepted?: readonly AcceptedChange[];
  /** Text of CHANGELOG.md. */
  changelog: string;
};

/** Lists what is missing, one sentence each; empty when the contract may be released. */
export const judgeRelease = ({
  released,
  current,
  changes,
  accepted = [],
  changelog,
}: GateInput): string[] => {
  const known = new Set(accepted.map(({ change }) => change));
  const problems = [...known]
    .filter((change) => !changes.includes(change))
    .map((change) => `The change is accepted but was not made: ${change}`);
  if (changes.every((change) => known.has(change))) return problems;
  if (majorOf(current) <= majorOf(released)) {
    problems.push(
      `package.json says ${current}: a breaking change needs a major version above that of ${released}.`,
    );
  }
  if (!hasEntry(changelog, current)) {
    problems.push(
      `CHANGELOG.md has no entry "## [${current}]" that tells consumers what breaks and what to do.`,
    );
  }
  return problems;
};

const majorOf = (version: string): number => Number(version.split('.')[0]);

/** A heading with at least one line of text below it, before the next heading of its rank. */
const hasEntry = (changelog: string, version: string): boolean => {
  const entries = changelog.split(/^(?=## )/m);
  const entry = entries.find((text) => text.startsWith(`## [${version}]`)) ?? '';
  return entry.split('\n').some((line) => line.trim() !== '' && !line.startsWith('#'));
};

/** The highest of some versions by their three numbers, or null when there are none. */
export const findNewestVersion = (versions: readonly string[]): string | null =>
  versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? null;

/** One sentence per breaking change: operation, what changed, and the name of the rule. */
const describeBreakingChanges = async (released: object, current: object): Promise<string[]> =>
  (await findBreakingChanges(released, current))
    .filter(({ severity }) => severity === 'error')
    .map(nameChange);

// Compares the contract with the newest released one; answers 1 when a breaking change is not announced.

const RELEASES = 'contracts/released';

const readJson = (path: string) => JSON.parse(readRepositoryFile(path) ?? 'null');

const findProblems = async (): Promise<string[]> => {
  const folders = readdirSync(`${ROOT}${RELEASES}`, { withFileTypes: true });
  const versions = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const released = findNewestVersion(versions);
  if (!released) return [`${RELEASES} holds no released contract to compare with.`];
  const document = readJson(`${RELEASES}/${released}/openapi.json`);
  if (document?.info?.version !== released) {
    return [`${RELEASES}/${released}/openapi.json is not the contract of version ${released}.`];
  }
  const contract = buildOpenApi({ version: '3.1.0' });
  const current: string = readJson('package.json').version;
  if (contract.info.version !== current) {
    return [`The contract is version ${contract.info.version}, the project ${current}.`];
  }
  const changes = await describeBreakingChanges(document, contract);
  const accepted: AcceptedChange[] =
    readJson(`${RELEASES}/${released}/accepted-changes.json`) ?? [];
  for (const change of changes) console.log(`  since ${released}: ${change}`);
  const changelog = readRepositoryFile('CHANGELOG.md') ?? '';
  return judgeRelease({ released, current, changes, accepted, changelog });
};

if (import.meta.main) {
  const problems = await findProblems();
  for (const problem of problems) console.log(`  ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
