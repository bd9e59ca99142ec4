// Labels for permissions, in groups.
import type { Permission, Role } from '@muster/contract';
import { coversAll, narrowToSandboxes, PEOPLE_ONLY, ROLE_NAMES, ROLES } from '@muster/contract';

/** `*` includes all permissions, also those of later versions. */
export type Grant = Permission | '*';

/** A permission that a key can hold. */
export type KeyGrant = Exclude<Grant, (typeof PEOPLE_ONLY)[number]>;

export const isForKeys = (name: Grant): name is KeyGrant =>
  !(PEOPLE_ONLY as readonly Grant[]).includes(name);

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
      { name: 'sandbox:config:approve', description: 'Approve change sets of others' },
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
      { name: 'webhook:manage', description: 'Manage webhooks, which receive every event' },
      { name: 'people:manage', description: 'Invite people and change their roles' },
      { name: '*', description: 'Everything' },
    ],
  },
];

const LABELS = new Map<string, string>([
  // Only for players' tokens, so no form offers it for a key.
  ['session:update-player:self', 'Join its own player to a session'],
  ...PERMISSION_GROUPS.flatMap(({ permissions }) =>
    permissions.map(({ name, description }) => [name, description] as const),
  ),
]);

/** Describes a missing permission in words, followed by its name for the administrator who grants it. */
export const explainPermissions = (anyOf: readonly Permission[]): string => {
  const words = describePermission(anyOf[0] ?? '');
  return `Your account may not do this. It needs the permission “${words}” (${anyOf.join(' or ')}).`;
};

/** A label that is clear outside of its group. Returns the permission's name if it has no label. */
export const describePermission = (name: string): string =>
  LABELS.get(name)?.replace(/, and all of the above$/, '') ?? name;

export const ROLE_LABELS: Record<Role, { label: string; description: string }> = {
  viewer: { label: 'Viewer', description: 'Sees everything, changes nothing.' },
  editor: {
    label: 'Editor',
    description:
      'Edits Items and Xp, approves changes of others, and may join players to sessions.',
  },
  admin: {
    label: 'Admin',
    description: 'Also manages sessions, sandboxes (production included), keys and webhooks.',
  },
  owner: { label: 'Owner', description: 'May do everything, and manages people.' },
};

/** The roles that an account with these permissions may grant: only those whose permissions it has. */
export const listGrantableRoles = (
  held: readonly string[],
  sandboxIds: readonly string[] | undefined,
): Role[] =>
  ROLE_NAMES.filter((role) => coversAll(held, narrowToSandboxes(ROLES[role], sandboxIds)));
