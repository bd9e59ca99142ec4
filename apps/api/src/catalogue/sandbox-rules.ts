// Who may view a sandbox, and what protects one such as production: pure. Protection is checked under the lock of its row.
import type { Permission } from '@muster/contract';
import { permits, READ_HISTORY, Uuid } from '@muster/contract';
import { ServiceError } from '../platform/index.ts';
import type { OperationType } from './edit-rules.ts';

/** What a caller brings along for a protected sandbox. */
export type SandboxAuthority = {
  /** True for callers who may do everything with this sandbox (`sandbox:*`). */
  administers: boolean;
  /** The sandbox's name as the caller typed it. */
  confirmedName: string | undefined;
};

export const NO_AUTHORITY: SandboxAuthority = { administers: false, confirmedName: undefined };

export type ProtectedState = { name: string; protected: boolean };

/** Absent dates: it is neither archived nor deleted. */
export type SandboxState = ProtectedState & { archivedAt: Date | null; deletedAt: Date | null };

/** Errors: sandbox_protected, sandbox_confirmation_required (with sandbox_name). */
export const requireAuthority = (sandbox: ProtectedState, authority: SandboxAuthority): void => {
  if (!sandbox.protected) return;
  const facts = { sandbox_name: sandbox.name };
  if (!authority.administers) throw new ServiceError('sandbox_protected', { facts });
  if (authority.confirmedName !== sandbox.name) {
    throw new ServiceError('sandbox_confirmation_required', { facts });
  }
};

/** Edits add a version and can be undone one by one, and restoring brings back; only deleting takes away. */
export const isDestructive = (type: OperationType): boolean => type === 'delete';

/** The sandbox as it is to be. Renaming a protected one and lifting the protection are destructive. */
export const updateSandbox = (
  current: ProtectedState,
  change: { name: string | undefined; protected: boolean | undefined },
  authority: SandboxAuthority,
): ProtectedState => {
  const next = {
    name: change.name ?? current.name,
    protected: change.protected ?? current.protected,
  };
  if (next.name !== current.name || !next.protected) requireAuthority(current, authority);
  return next;
};

/** Nothing is written to an archived sandbox. Errors: sandbox_archived. */
export const requireWritable = ({ archived }: { archived: boolean }): void => {
  if (archived) throw new ServiceError('sandbox_archived');
};

/** Errors: those of `requireAuthority`. An archived sandbox keeps the date that it has. */
export const archiveSandbox = (
  current: SandboxState,
  authority: SandboxAuthority,
  now: Date,
): SandboxState => {
  requireAuthority(current, authority);
  return { ...current, archivedAt: current.archivedAt ?? now };
};

/**
 * Every deletion needs the typed name. A protected sandbox is not deleted at all: lifting its protection first is a
 * decision of its own. Errors: sandbox_protected, sandbox_confirmation_required.
 */
export const deleteSandbox = (
  current: SandboxState,
  { confirmedName }: SandboxAuthority,
  now: Date,
): SandboxState => {
  const facts = { sandbox_name: current.name };
  if (current.protected) {
    const desc = 'The sandbox is protected: lift its protection before deleting it.';
    throw new ServiceError('sandbox_protected', { facts, desc });
  }
  if (confirmedName !== current.name) {
    const desc = 'Deleting a sandbox needs its name, see sandbox_name.';
    throw new ServiceError('sandbox_confirmation_required', { facts, desc });
  }
  return { ...current, deletedAt: now };
};

/**
 * The sandboxes whose catalogue these permissions may view; undefined for all of them. Narrowed grants name their
 * sandbox, and `permits` decides what such a grant covers.
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
  // What names no sandbox does not suffice, as is known by now: each sandbox is left to the grants that name it.
  const grants = Map.groupBy(permissions, (name) => Uuid.safeParse(name.split(':')[1]).data);
  return [...grants].flatMap(([id, own]) =>
    id !== undefined && permits(own, anyOf, id) ? [id] : [],
  );
};
