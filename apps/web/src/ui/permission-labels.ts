// What a key may do, in plain words, in the groups that people think in.
import type { Permission, Role } from '@muster/contract';
import { coversAll, narrowToSandboxes, ROLE_NAMES, ROLES } from '@muster/contract';

/** `*` is everything there is, and everything that will be. */
export type Grant = Permission | '*';

type PermissionGroup = {
  title: string;
  permissions: readonly { name: Grant; description: string }[];
};

export const PERMISSION_GROUPS: readonly PermissionGroup[] = [
  {
    title: 'Items and Xp',
    permissions: [
      { name: 'sandbox:config:view', description: 'Read Items, Xp and their histories' },
      { name: 'sandbox:config:edit', description: 'Change Items and Xp' },
      {
        name: 'sandbox:*',
        description:
          'Manage sandboxes: create, rename, protect, archive, delete, and all of the above',
      },
    ],
  },
  {
    title: 'Sessions and players',
    permissions: [
      { name: 'session:view', description: 'See sessions and their timelines' },
      { name: 'session:update-player:any', description: 'Join any player to a session' },
      {
        name: 'session:*',
        description: 'Manage sessions: create, change, end, and all of the above',
      },
      { name: 'player:view', description: 'See players' },
      { name: 'player:*', description: 'Register, rename and delete players' },
    ],
  },
  {
    title: 'Operating',
    permissions: [
      { name: 'audit:view', description: 'Read the audit trail' },
      { name: 'metrics:view', description: 'Read metrics and the state of the system' },
      { name: 'people:view', description: 'See the names of people who made changes' },
      { name: 'key:manage', description: 'Create and revoke keys' },
      { name: 'people:manage', description: 'Invite people and change their roles' },
      { name: '*', description: 'Everything' },
    ],
  },
];

const LABELS = new Map<string, string>([
  // Of players' tokens: no form offers it to a key.
  ['session:update-player:self', 'Join its own player to a session'],
  ...PERMISSION_GROUPS.flatMap(({ permissions }) =>
    permissions.map(({ name, description }) => [name, description] as const),
  ),
]);

/** What an account lacks, first in words and then by the name that whoever grants it looks for. */
export const explainPermissions = (anyOf: readonly Permission[]): string => {
  const words = describePermission(anyOf[0] ?? '');
  return `Your account may not do this. It needs the permission “${words}” (${anyOf.join(' or ')}).`;
};

/** By itself, outside of its group. The permission's own name where it has no words yet. */
export const describePermission = (name: string): string =>
  LABELS.get(name)?.replace(/, and all of the above$/, '') ?? name;

export const ROLE_LABELS: Record<Role, { label: string; description: string }> = {
  viewer: { label: 'Viewer', description: 'Sees everything, changes nothing.' },
  editor: { label: 'Editor', description: 'Edits Items and Xp, and may join players to sessions.' },
  admin: {
    label: 'Admin',
    description: 'Also manages sessions, sandboxes (production included) and keys.',
  },
  owner: { label: 'Owner', description: 'May do everything, and manages people.' },
};

/** The roles that an account with these permissions may give: only what it holds itself. */
export const listGrantableRoles = (
  held: readonly string[],
  sandboxIds: readonly string[] | undefined,
): Role[] =>
  ROLE_NAMES.filter((role) => coversAll(held, narrowToSandboxes(ROLES[role], sandboxIds)));
