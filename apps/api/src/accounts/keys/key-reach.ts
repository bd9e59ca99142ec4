// How far a key reaches, compared with whoever wants to make, see or take it: rules without I/O.
import type { Permission } from '@muster/contract';
import { coversAll, narrowToSandboxes } from '@muster/contract';
import { ServiceError } from '../../errors/service-error.ts';

/** Permissions, and the sandboxes that they are for; absent or empty: every one. */
export type Reach = { permissions: readonly string[]; sandboxIds?: readonly string[] | undefined };

/** Their names hold no sandbox, but what they show of other sandboxes is left out for narrowed accounts. */
const SHOWN_BY_SANDBOX: readonly string[] = [
  'audit:view',
  'metrics:view',
] satisfies readonly Permission[];

/** Whether a holder has all that the key permits. The holder's own permissions are narrowed already. */
export const reachesNoFurther = (key: Reach, holder: Reach): boolean =>
  coversAll(holder.permissions, narrowToSandboxes(key.permissions, readSandboxes(key))) &&
  showsNoFurther(key, holder);

/** Throws `grant_beyond_permissions`. */
export const refuseFurther = (key: Reach, holder: Reach): void => {
  if (!reachesNoFurther(key, holder)) throw new ServiceError('grant_beyond_permissions');
};

const showsNoFurther = (key: Reach, holder: Reach): boolean => {
  const held = readSandboxes(holder);
  if (!held || !key.permissions.some((name) => SHOWN_BY_SANDBOX.includes(name))) return true;
  return readSandboxes(key)?.every((id) => held.includes(id)) ?? false;
};

const readSandboxes = ({ sandboxIds = [] }: Reach): readonly string[] | undefined =>
  sandboxIds.length > 0 ? sandboxIds : undefined;
