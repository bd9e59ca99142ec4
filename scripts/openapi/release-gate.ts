// The gate between a change of the contract and its release. Pure: decides from what others have read.

export type GateInput = {
  /** Version of the newest released contract. */
  released: string;
  /** Version of the project as it is now. */
  current: string;
  /** One sentence per breaking change between the two. */
  changes: readonly string[];
  /** Text of CHANGELOG.md. */
  changelog: string;
};

/** Sentences that say what is missing; empty when the contract may be released as it is. */
export const judgeRelease = ({ released, current, changes, changelog }: GateInput): string[] => {
  if (changes.length === 0) return [];
  const problems: string[] = [];
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
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`## [${version}]`));
  if (start < 0) return false;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('## '));
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .some((line) => line.trim() !== '' && !line.startsWith('#'));
};

/** The highest of some versions by their three numbers, or null when there are none. */
export const findNewestVersion = (versions: readonly string[]): string | null =>
  versions.toSorted(compareVersions).at(-1) ?? null;

const compareVersions = (a: string, b: string): number => {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const index = [0, 1, 2].find((place) => left?.[place] !== right?.[place]);
  return index === undefined ? 0 : (left?.[index] ?? 0) - (right?.[index] ?? 0);
};
