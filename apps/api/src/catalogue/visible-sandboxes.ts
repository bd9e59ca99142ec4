import { permits, READ_HISTORY, Uuid } from '@muster/contract';

/**
 * The sandboxes whose catalogue these permissions may view; undefined for all of them. Narrowed grants name their
 * sandbox, and `permits` decides what such a grant covers.
 */
export const visibleSandboxes = (permissions: readonly string[]): string[] | undefined => {
  if (permits(permissions, READ_HISTORY)) return undefined;
  const named = permissions.map((permission) => Uuid.safeParse(permission.split(':')[1]).data);
  const ids = [...new Set(named.filter((id) => id !== undefined))];
  return ids.filter((id) => permits(permissions, READ_HISTORY, id));
};
