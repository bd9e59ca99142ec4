// Permissions to view a sandbox, and the protection of one such as production: pure. Protection is checked under the
// row lock.
import type { Permission } from '@muster/contract';
import { isSameName, permits, READ_HISTORY, Uuid } from '@muster/contract';
import { ServiceError } from '../../platform/index.ts';
import type { OperationType } from '../edits/edit-rules.ts';

/** A caller's authority for a protected sandbox. */
export type SandboxAuthority = {
  /** True for callers with all permissions on this sandbox (`sandbox:*`). */
  administers: boolean;
  /** The sandbox's name as the caller typed it. */
  confirmedName: string | undefined;
};

export const NO_AUTHORITY: SandboxAuthority = { administers: false, confirmedName: undefined };

export type ProtectedState = { name: string; protected: boolean };

/** One that is not deleted. */
export type OpenSandbox = ProtectedState & { archived: boolean; requiredApprovals: number };

/** `requiredApprovals` is how many people have to approve a change before it is written. */
export type SandboxSettings = ProtectedState & { requiredApprovals: number };

/** Without dates it is neither archived nor deleted. */
export type SandboxState = ProtectedState & { archivedAt: Date | null; deletedAt: Date | null };

/** Errors: sandbox_protected, sandbox_confirmation_required (with sandbox_name). */
export const requireAuthority = (sandbox: ProtectedState, authority: SandboxAuthority): void => {
  if (!sandbox.protected) return;
  const facts = { sandbox_name: sandbox.name };
  if (!authority.administers) throw new ServiceError('sandbox_protected', { facts });
  if (!isConfirmed(sandbox, authority)) {
    throw new ServiceError('sandbox_confirmation_required', { facts });
  }
};

/** A person cannot type the invisible characters that an older name may contain. */
const isConfirmed = ({ name }: { name: string }, { confirmedName }: SandboxAuthority): boolean =>
  confirmedName !== undefined && isSameName(confirmedName, name);

/** Edits add a version and can be reverted one by one, and a restore adds data; only a delete removes data. */
export const isDestructive = (type: OperationType): boolean => type === 'delete';

/**
 * Checks the new settings of a sandbox. Renaming a protected one, removing the protection and requiring fewer approvals are
 * destructive. A sandbox that becomes protected requires one approval, unless the caller says otherwise.
 */
export const updateSandbox = (
  current: SandboxSettings,
  change: {
    name: string | undefined;
    protected: boolean | undefined;
    requiredApprovals: number | undefined;
  },
  authority: SandboxAuthority,
): SandboxSettings => {
  const isProtected = change.protected ?? current.protected;
  const least = isProtected && !current.protected ? 1 : 0;
  const next = {
    name: change.name ?? current.name,
    protected: isProtected,
    requiredApprovals: change.requiredApprovals ?? Math.max(current.requiredApprovals, least),
  };
  const isWeaker = !next.protected || next.requiredApprovals < current.requiredApprovals;
  if (next.name !== current.name || isWeaker) requireAuthority(current, authority);
  return next;
};

/** Nothing is written to an archived sandbox. Errors: sandbox_archived. */
export const requireWritable = ({ archived }: { archived: boolean }): void => {
  if (archived) throw new ServiceError('sandbox_archived');
};

/** Errors: those of `requireAuthority`. A sandbox that is already archived keeps its date. */
export const archiveSandbox = (
  current: SandboxState,
  authority: SandboxAuthority,
  now: Date,
): SandboxState => {
  requireAuthority(current, authority);
  return { ...current, archivedAt: current.archivedAt ?? now };
};

/**
 * Every deletion needs the typed name. A protected sandbox cannot be deleted: removing its protection first is a
 * separate decision. Errors: sandbox_protected, sandbox_confirmation_required.
 */
export const deleteSandbox = (
  current: SandboxState,
  authority: SandboxAuthority,
  now: Date,
): SandboxState => {
  const facts = { sandbox_name: current.name };
  if (current.protected) {
    const desc = 'The sandbox is protected: lift its protection before deleting it.';
    throw new ServiceError('sandbox_protected', { facts, desc });
  }
  if (!isConfirmed(current, authority)) {
    const desc = 'Deleting a sandbox needs its name in confirm_sandbox_name: see sandbox_name.';
    throw new ServiceError('sandbox_confirmation_required', { facts, desc });
  }
  return { ...current, deletedAt: now };
};

/** Purging needs the typed name a second time. Errors: sandbox_confirmation_required. */
export const confirmPurge = (sandbox: { name: string }, authority: SandboxAuthority): void => {
  if (isConfirmed(sandbox, authority)) return;
  throw new ServiceError('sandbox_confirmation_required', {
    facts: { sandbox_name: sandbox.name },
    desc: 'Purging a sandbox needs its name in confirm_sandbox_name: see sandbox_name.',
  });
};

/**
 * The sandboxes whose catalogue these permissions may view; undefined for all of them. Narrowed grants name their
 * sandbox, and `permits` decides what such a grant includes.
 */
export const visibleSandboxes = (permissions: readonly string[]): string[] | undefined =>
  sandboxesWith(permissions, READ_HISTORY);

/** The same for the sandboxes that these permissions administer. */
export const administeredSandboxes = (permissions: readonly string[]): string[] | undefined =>
  sandboxesWith(permissions, ['sandbox:*']);

const sandboxesWith = (
  permissions: readonly string[],
  anyOf: readonly Permission[],
): string[] | undefined => {
  if (permits(permissions, anyOf)) return undefined;
  // Permissions without a sandbox do not suffice, as was checked above: each sandbox depends on the grants that name
  // it.
  const grants = Map.groupBy(permissions, (name) => Uuid.safeParse(name.split(':')[1]).data);
  return [...grants].flatMap(([id, own]) =>
    id !== undefined && permits(own, anyOf, id) ? [id] : [],
  );
};
