import type { Permission } from '@muster/contract';
import { permits } from '@muster/contract';
import { useMe } from '../access/me.ts';

/** The entries that the account may open. */
export const useOpenEntries = <Entry extends { anyOf?: readonly Permission[] }>(
  entries: readonly Entry[],
  sandboxId?: string,
): Entry[] => {
  const { permissions } = useMe();
  return entries.filter(({ anyOf }) => !anyOf || permits(permissions, anyOf, sandboxId));
};
