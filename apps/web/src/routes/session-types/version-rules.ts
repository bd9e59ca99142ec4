import type { VersionMatch } from '@muster/contract';

/** How much of the client's version must equal the instance's, in words and by example. */
export const VERSION_RULES: Record<VersionMatch, { label: string; example: string }> = {
  none: { label: 'Any version', example: 'Clients of every version may join.' },
  major: { label: 'Same major', example: 'An instance of 1.4.2 takes 1.0.0, but not 2.0.0.' },
  minor: { label: 'Same minor', example: 'An instance of 1.4.2 takes 1.4.0, but not 1.5.0.' },
  patch: {
    label: 'Same patch',
    example: 'An instance of 1.4.2 takes 1.4.2 and 1.4.2-beta, but not 1.4.3.',
  },
  exact: {
    label: 'Exactly the same',
    example: 'An instance of 1.4.2 takes 1.4.2, but not 1.4.2-beta.',
  },
};
