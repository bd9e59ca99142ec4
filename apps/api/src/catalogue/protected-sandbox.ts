// What protects a sandbox such as production: the rules, without I/O. They are asked under the lock of its row.
import { ServiceError } from '../errors/service-error.ts';
import type { OperationType } from './record-operation.ts';

/** What a caller brings along for a protected sandbox. */
export type SandboxAuthority = {
  /** True for who may do everything with this sandbox (`sandbox:*`). */
  administers: boolean;
  /** The sandbox's name as the caller typed it. */
  confirmedName: string | undefined;
};

export const NO_AUTHORITY: SandboxAuthority = { administers: false, confirmedName: undefined };

export type ProtectedState = { name: string; protected: boolean };

/** Errors: sandbox_protected, sandbox_confirmation_required (with sandbox_name). */
export const requireAuthority = (sandbox: ProtectedState, authority: SandboxAuthority): void => {
  if (!sandbox.protected) return;
  const facts = { sandbox_name: sandbox.name };
  if (!authority.administers) throw new ServiceError('sandbox_protected', { facts });
  if (authority.confirmedName !== sandbox.name) {
    throw new ServiceError('sandbox_confirmation_required', { facts });
  }
};

/** Edits add a version and can be undone one by one; restoring brings back. Only deleting takes away. */
export const isDestructive = (type: OperationType): boolean => type === 'delete';

/** The sandbox as it is to be. Renaming a protected one and lifting the protection are destructive. */
export const updateSandbox = (
  current: ProtectedState,
  wish: { name: string | undefined; protected: boolean | undefined },
  authority: SandboxAuthority,
): ProtectedState => {
  const next = { name: wish.name ?? current.name, protected: wish.protected ?? current.protected };
  if (next.name !== current.name || !next.protected) requireAuthority(current, authority);
  return next;
};
