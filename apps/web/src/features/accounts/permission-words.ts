// What a key may do, in plain words, in the groups that people think in.
import type { Permission } from '@muster/contract';

/** `*` is everything there is, and everything that will be. */
export type Grant = Permission | '*';

type PermissionGroup = { title: string; permissions: readonly { name: Grant; says: string }[] };

export const PERMISSION_GROUPS: readonly PermissionGroup[] = [
  {
    title: 'Items and Xp',
    permissions: [
      { name: 'sandbox:config:view', says: 'Read Items, Xp and their histories' },
      { name: 'sandbox:config:edit', says: 'Change Items and Xp' },
      { name: 'sandbox:*', says: 'Run sandboxes: make, rename, protect, and all of the above' },
    ],
  },
  {
    title: 'Sessions and players',
    permissions: [
      { name: 'session:view', says: 'See sessions and their timelines' },
      { name: 'session:update-player:any', says: 'Join any player to a session' },
      { name: 'session:*', says: 'Run sessions: make, change, end, and all of the above' },
      { name: 'player:view', says: 'See players' },
      { name: 'player:*', says: 'Register players' },
    ],
  },
  {
    title: 'Operating',
    permissions: [
      { name: 'audit:view', says: 'Read the audit trail' },
      { name: 'metrics:view', says: 'Read metrics and the state of the system' },
      { name: 'key:manage', says: 'Make and revoke keys' },
      { name: 'people:manage', says: 'Invite people and change their roles' },
      { name: '*', says: 'Everything' },
    ],
  },
];

const WORDS = new Map<string, string>(
  PERMISSION_GROUPS.flatMap(({ permissions }) =>
    permissions.map(({ name, says }) => [name, says] as const),
  ),
);

/** The permission's own name where it has no words yet. */
export const describePermission = (name: string): string => WORDS.get(name) ?? name;
