import { z } from 'zod';

const NUMERIC = '(0|[1-9]\\d*)';
const PRERELEASE_PART = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const SEMVER = new RegExp(
  `^${NUMERIC}\\.${NUMERIC}\\.${NUMERIC}` +
    `(?:-(${PRERELEASE_PART}(?:\\.${PRERELEASE_PART})*))?` +
    '(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$',
);

/** Longest version string accepted; the grammar of Semantic Versioning sets no bound of its own. */
const MAX_LENGTH = 256;

/** The parts of a version that compare; numbers stay decimal strings, since they have no upper bound. */
export type SemverParts = { major: string; minor: string; patch: string; prerelease: string };

/** Splits a version by Semantic Versioning 2.0.0, sections 2, 9 and 10; null when it is none. */
export const parseSemver = (value: string): SemverParts | null => {
  const match = value.length <= MAX_LENGTH ? SEMVER.exec(value) : null;
  if (!match) return null;
  const [, major = '', minor = '', patch = '', prerelease = ''] = match;
  return { major, minor, patch, prerelease };
};

/** A version string valid by Semantic Versioning 2.0.0. */
export const Semver = z
  .string()
  .check(({ value, issues }) => {
    if (parseSemver(value)) return;
    issues.push({
      code: 'custom',
      input: value,
      message: 'Must be a version by Semantic Versioning 2.0.0, such as 1.4.2',
      params: { type: 'value_error.semver' },
    });
  })
  .meta({ maxLength: MAX_LENGTH, pattern: SEMVER.source, examples: ['1.4.2', '2.0.0-beta.3'] });
