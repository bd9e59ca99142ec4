// Authentication, accounts (people, invitations, API keys), permissions, and rate limits.
export { type AccountServices, type Accounts, createAccounts } from './accounts.ts';
export { AccountNamesInput, KeyInputs } from './api-keys.ts';
export { type Authenticate, createAuthenticate } from './authenticate.ts';
export {
  type AdminAuthentication,
  type AuthenticateAdmin,
  createAdminAuthentication,
  refuseForeignOrigin,
} from './authenticate-admin.ts';
export { ACCOUNTS_PATH } from './better-auth.ts';
export { ensureFirstOwner } from './first-owner.ts';
export { type Grantor, toGrantor } from './grantor.ts';
export { InvitationInputs } from './invitations.ts';
export type { KeyUse } from './key-use.ts';
export { OwnAccountInputs } from './own-account.ts';
export { listOwners, resetOwner } from './owner-recovery.ts';
export { Email, PeopleInputs } from './people.ts';
export {
  type Caller,
  isIndividual,
  mayViewPeople,
  refusePendingPassword,
  sandboxScopeOf,
} from './permissions.ts';
export { findOwnerWithOneTimePassword, type Person } from './person-store.ts';
export type { AuthEndpoint, AuthRequest, AuthResponse } from './sign-in-endpoints.ts';
export { AUTH_ENDPOINTS } from './sign-in-endpoints.ts';
export { getSigningKeys, signToken } from './sign-token.ts';
export { limitInvitations } from './throttle.ts';
export type { SigningKeys } from './verify-token.ts';
