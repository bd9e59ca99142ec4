// Permission names and what grants what. A grant that ends in `*` covers everything below it.

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
  'audit:view',
  'metrics:view',
  'key:manage',
  'people:manage',
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** Any one of these may act for any player, including oneself. */
export const JOIN_FOR_ANY = ['session:*', 'session:update-player:any'] as const;
/** May act for the player who is the account itself. */
export const JOIN_FOR_SELF = ['session:update-player:self'] as const;
/** Any one of these may read the histories of a sandbox. */
export const READ_HISTORY = ['sandbox:config:view', 'sandbox:config:edit', 'sandbox:*'] as const;

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
  anyOf: readonly Permission[],
  sandboxId?: string,
): boolean =>
  anyOf.some((required) =>
    granted.some(
      (grant) =>
        covers(grant, required) ||
        (sandboxId !== undefined &&
          required.startsWith('sandbox:') &&
          covers(lowerSandboxId(grant), narrow(required, sandboxId.toLowerCase()))),
    ),
  );

/** The sandbox id inside a narrowed grant compares in lower case, as every UUID does; the rest does not. */
const lowerSandboxId = (grant: string): string =>
  grant.replace(/^sandbox:[^:]+/, (scope) => scope.toLowerCase());
