// Permission names and what grants what. A grant that ends in `*` covers everything below it.
import { toWrittenUuid } from './strings.ts';

export const PERMISSIONS = [
  'session:*',
  'session:view',
  'session:update-player:any',
  'session:update-player:self',
  'player:*',
  'player:view',
  'sandbox:*',
  'sandbox:config:view',
  'sandbox:config:edit',
  'sandbox:config:approve',
  'audit:view',
  'metrics:view',
  'key:manage',
  'webhook:manage',
  'people:view',
  'people:manage',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** `*` is required for what only owners may do: no other role has it. */
export type RequiredPermission = Permission | '*';

/** Any one of these may act for any player, including oneself. */
export const JOIN_FOR_ANY = ['session:*', 'session:update-player:any'] as const;
/** May act for the player who is the account itself. */
export const JOIN_FOR_SELF = ['session:update-player:self'] as const;
/** Any one of these changes what belongs to others. The remaining permissions only read, or act for the account itself. */
export const CHANGES_OTHERS = PERMISSIONS.filter(
  (permission) => !/:(?:view|self)$/.test(permission),
);
/** Any one of these may read the histories of a sandbox. */
export const READ_HISTORY = ['sandbox:config:view', 'sandbox:config:edit', 'sandbox:*'] as const;

/** Only people may do these: a key cannot hold one. */
export const PEOPLE_ONLY = ['sandbox:config:approve'] as const satisfies readonly Permission[];

/** Any one of these may see names of the people who run the service. */
export const VIEW_PEOPLE = ['people:view', 'people:manage'] as const;

const covers = (granted: string, required: string): boolean =>
  granted === required ||
  granted === '*' ||
  (granted.endsWith(':*') && required.startsWith(granted.slice(0, -1)));

/** `sandbox:config:view` narrowed to one sandbox: `sandbox:<sandbox_id>:config:view`. */
const narrow = (permission: string, sandboxId: string): string =>
  permission.replace(/^sandbox:/, `sandbox:${sandboxId}:`);

/**
 * True when the granted permissions cover any one of the required ones, anywhere or, where a sandbox
 * is given, in that sandbox. Unknown grants cover nothing.
 */
export const permits = (
  granted: readonly string[],
  anyOf: readonly RequiredPermission[],
  sandboxId?: string,
): boolean =>
  anyOf.some((required) =>
    granted.some(
      (grant) =>
        covers(grant, required) ||
        (sandboxId !== undefined &&
          required.startsWith('sandbox:') &&
          covers(writeSandboxId(grant), narrow(required, sandboxId.toLowerCase()))),
    ),
  );

/** The same in whatever sandbox: for what has to be decided before it is known which one is meant. */
export const permitsSomewhere = (
  granted: readonly string[],
  anyOf: readonly Permission[],
): boolean =>
  permits(
    granted.map((grant) => grant.replace(/^sandbox:[^:]+:(?=config:|\*)/, 'sandbox:')),
    anyOf,
  );

/** The sandbox id inside a narrowed grant compares in its written form, as every UUID does; the rest does not. */
const writeSandboxId = (grant: string): string =>
  grant.replace(/^sandbox:([^:]+)/, (_scope, id: string) => `sandbox:${toWrittenUuid(id)}`);

const VIEWER = [
  'session:view',
  'player:view',
  'sandbox:config:view',
  'audit:view',
  'metrics:view',
  'people:view',
] as const satisfies readonly Permission[];
const EDITOR = [
  ...VIEWER,
  'sandbox:config:edit',
  'sandbox:config:approve',
  'session:update-player:any',
] as const satisfies readonly Permission[];
const ADMIN = [
  ...EDITOR,
  'session:*',
  'player:*',
  'sandbox:*',
  'key:manage',
  'webhook:manage',
] as const satisfies readonly Permission[];

/** The roles of people, from the fewest permissions to the most. */
export const ROLES = {
  viewer: VIEWER,
  editor: EDITOR,
  admin: ADMIN,
  owner: ['*'],
} as const satisfies Record<string, readonly string[]>;

export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];

/**
 * The same permissions in these sandboxes only. What is not about sandboxes stays, except for people, who belong to no
 * sandbox, and webhooks, which receive the edits of every sandbox. `*` cannot be narrowed.
 */
export const narrowToSandboxes = (
  permissions: readonly string[],
  sandboxIds: readonly string[] | undefined,
): string[] =>
  permissions.flatMap((permission) => {
    if (sandboxIds === undefined) return [permission];
    if (/^(?:people|webhook):/.test(permission)) return [];
    return permission.startsWith('sandbox:')
      ? sandboxIds.map((sandboxId) => narrow(permission, sandboxId.toLowerCase()))
      : [permission];
  });

/** Whether the permissions of the granter cover every granted one: an account cannot grant what it lacks. */
export const coversAll = (granter: readonly string[], granted: readonly string[]): boolean =>
  createCoverage(granter)(granted);

/**
 * The same for many grants of one granter. A role or a key for a hundred sandboxes has hundreds of permissions: each is looked
 * up, not compared with every one of the granter's.
 */
export const createCoverage = (
  granter: readonly string[],
): ((granted: readonly string[]) => boolean) => {
  const held = new Set(granter.map(writeSandboxId));
  const isHeld = (wanted: string): boolean => {
    if (held.has(wanted) || held.has('*')) return true;
    for (let colon = wanted.indexOf(':'); colon >= 0; colon = wanted.indexOf(':', colon + 1)) {
      if (held.has(`${wanted.slice(0, colon)}:*`)) return true;
    }
    return false;
  };
  return (granted) =>
    granted.every((wanted) => {
      const written = writeSandboxId(wanted);
      // A permission in every sandbox covers the same one in a single sandbox.
      return isHeld(written) || isHeld(widen(written));
    });
};

/** `sandbox:<sandbox_id>:config:view` without its sandbox: `sandbox:config:view`. */
const widen = (permission: string): string => permission.replace(NARROWED, 'sandbox:');

const NARROWED = /^sandbox:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:/;
