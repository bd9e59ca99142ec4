import type { VersionMatch } from '@muster/contract';
import { parseSemver } from '@muster/contract';

/** The parts that must be equal. Build metadata never counts (Semantic Versioning 2.0.0, section 10). */
const COMPARED = {
  none: [],
  major: ['major'],
  minor: ['major', 'minor'],
  patch: ['major', 'minor', 'patch'],
  exact: ['major', 'minor', 'patch', 'prerelease'],
} as const satisfies Record<VersionMatch, readonly string[]>;

/**
 * Whether a client's version fits the instance's under the session type's rule. The parts compare as
 * decimal strings, since the grammar forbids leading zeros and sets no upper bound.
 */
export const isVersionCompatible = (
  rule: VersionMatch,
  clientVersion: string,
  instanceVersion: string | undefined,
): boolean => {
  if (instanceVersion === undefined) return true;
  const client = parseSemver(clientVersion);
  const instance = parseSemver(instanceVersion);
  return COMPARED[rule].every((part) => client?.[part] === instance?.[part]);
};
