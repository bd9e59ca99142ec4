// The roles in plain words. What they permit stands in the contract; the service decides.
import type { Role } from '@muster/contract';
import { coversAll, narrowToSandboxes, ROLE_NAMES, ROLES } from '@muster/contract';

export const ROLE_WORDS: Record<Role, { label: string; says: string }> = {
  viewer: { label: 'Viewer', says: 'Sees everything, changes nothing.' },
  editor: { label: 'Editor', says: 'Edits Items and Xp, and may join players to sessions.' },
  admin: {
    label: 'Admin',
    says: 'Also runs sessions, sandboxes (production, too) and keys.',
  },
  owner: { label: 'Owner', says: 'May do everything, and decides who else gets in.' },
};

/** The roles that somebody with these permissions may give: nobody grants what they lack. */
export const listGrantableRoles = (
  held: readonly string[],
  sandboxIds: readonly string[] | undefined,
): Role[] =>
  ROLE_NAMES.filter((role) => coversAll(held, narrowToSandboxes(ROLES[role], sandboxIds)));
