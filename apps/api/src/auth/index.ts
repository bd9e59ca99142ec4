// Authentication: the credential of a request becomes a Caller, or a ServiceError that says why not.
export type { Authenticate } from './authenticate.ts';
export { createAuthenticate } from './authenticate.ts';
export type { AdminAuthentication, AuthenticateAdmin } from './authenticate-admin.ts';
export { createAdminAuthentication, refusePendingPassword } from './authenticate-admin.ts';
export type { Caller } from './caller.ts';
export { narrowingOf } from './caller.ts';
export { readOwnOrigin, refuseForeignOrigin } from './request-origin.ts';
export { signToken } from './sign-token.ts';
export { getSigningKeys } from './signing-keys.ts';
export { parseTokenCommand, TOKEN_USAGE, UsageError } from './token-command.ts';
export type { SigningKeys } from './verification-keys.ts';
